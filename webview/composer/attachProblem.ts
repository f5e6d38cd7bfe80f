import type { ViewApp } from '../app/viewApp.ts';
import type { AttachResult } from './attachFiles.ts';

/** Why something could not be attached, in words. */
export function attachProblem(app: ViewApp, result: Exclude<AttachResult, { type: 'attached' }>): string {
  switch (result.type) {
    case 'tooBig':
      return app.t('attachmentTooBig', result.name, `${(result.bytes / 1_048_576).toFixed(1)} MB`);
    case 'wrongType':
      return app.t('attachmentType', result.name);
  }
}
