import { describe, expect, it } from 'vitest';
import type { RewindFile, RewindPreview } from '../../../../src/host/rewind/rewindPreview.ts';
import { summaryWords } from '../../../../src/host/rewind/rewindWords.ts';
import { fill } from '../chat/fill.ts';

function file(more: Partial<RewindFile> = {}): RewindFile {
  return {
    path: '/project/a.txt',
    change: 'restore',
    modeOnly: false,
    editedSince: false,
    unsaved: false,
    outside: false,
    readOnly: false,
    stamp: '',
    ...more,
  };
}

function preview(files: readonly RewindFile[], more: Partial<RewindPreview> = {}): RewindPreview {
  return { sessionId: 's', promptId: 'p', files, own: [], skipped: [], leftovers: [], compared: 'exact', ...more };
}

describe('the line about a rewind', () => {
  it('counts what goes back, what is deleted, what only gets its permissions and what lies elsewhere', () => {
    const files = [file(), file({ change: 'delete' }), file({ modeOnly: true }), file({ outside: true })];
    expect(summaryWords(preview(files), fill)).toBe(
      '2 files go back · 1 file is deleted · 1 file gets its old permissions · 1 of them outside of this folder',
    );
  });

  it('says that changes by commands to ignored files are not known', () => {
    const state = { kind: 'git', tree: '', objects: '', big: {} } as const;
    expect(summaryWords(preview([file()], { state }), fill)).toBe('1 file goes back · ignored files not compared');
  });
});
