import type { Reading } from './client.ts';

/** The reading as a sentence. */
export function describe({ place, celsius }: Reading): string {
  const feeling = celsius < 5 ? 'cold' : celsius < 22 ? 'mild' : 'warm';
  return `It is ${feeling} in ${place}: ${celsius.toFixed(1)} °C.`;
}
