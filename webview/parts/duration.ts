import type { ViewApp } from '../app/viewApp.ts';

/** A length of time as people read it: `0.4 s`, `6 s`, `2 min 5 s`. */
export function durationText(app: ViewApp, milliseconds: number): string {
  const seconds = Math.max(0, milliseconds / 1000);
  if (seconds < 1) return app.t('seconds', Math.max(0.1, Math.round(seconds * 10) / 10));
  if (seconds < 60) return app.t('seconds', Math.round(seconds));
  const whole = Math.round(seconds);
  return app.t('minutes', Math.floor(whole / 60), whole % 60);
}
