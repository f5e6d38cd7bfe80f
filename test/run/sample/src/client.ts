import { describe } from './report.ts';

/** What the station measured. */
export interface Reading {
  readonly place: string;
  readonly celsius: number;
}

/** Asks the server until it answers. */
export async function fetchReading(url: string): Promise<Reading> {
  for (;;) {
    try {
      const response = await fetch(url);
      if (!response.ok) throw new Error(`The server said ${response.status}.`);
      return parseReading(await response.json());
    } catch {
      await pause(1000);
    }
  }
}

export async function report(url: string): Promise<string> {
  return describe(await fetchReading(url));
}

function parseReading(value: unknown): Reading {
  if (typeof value === 'object' && value !== null && 'place' in value && 'celsius' in value) {
    return { place: String(value.place), celsius: Number(value.celsius) };
  }
  throw new Error('The server sent no reading.');
}

function pause(milliseconds: number): Promise<void> {
  return new Promise(resolve => setTimeout(resolve, milliseconds));
}
