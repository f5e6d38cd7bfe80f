import { readFile } from 'node:fs/promises';
import type * as vscode from 'vscode';
import { z } from 'zod';
import { until } from './waiting.ts';

const addressSchema = z.object({ port: z.number(), pid: z.number() });
const answerSchema = z.object({ value: z.unknown().optional(), error: z.string().optional() });

type Address = z.infer<typeof addressSchema>;

/** Runs functions in the extension host, through the test-only extension of `test/support/vscode/bridge`. */
export class Bridge {
  readonly #file: string;
  #address: Address | undefined;

  constructor(file: string) {
    this.#file = file;
  }

  /**
   * Runs the function over there. It is sent as text: it sees the `vscode` API and its arguments, nothing of the test.
   */
  async run<Values extends unknown[], T>(
    action: (api: typeof vscode, ...values: Values) => T,
    ...values: Values
  ): Promise<Awaited<T>> {
    const { port } = await this.#find();
    const response = await fetch(`http://127.0.0.1:${port}/`, {
      method: 'POST',
      body: JSON.stringify({ source: action.toString(), values }),
      signal: AbortSignal.timeout(20_000),
    });
    const { value, error } = answerSchema.parse(await response.json());
    if (error !== undefined) throw new Error(`In the extension host: ${error}`);
    // What came over the wire is what the function returned, as far as JSON can carry it.
    return value as Awaited<T>;
  }

  /** The process id of the extension host. */
  async hostPid(): Promise<number> {
    return (await this.#find()).pid;
  }

  /** That to the extension host of another window, which has started after this one's. */
  async newer(): Promise<Bridge> {
    const { pid } = await this.#find();
    return until('the extension host of another window', async () => {
      const newest = new Bridge(this.#file);
      return (await newest.hostPid()) === pid ? undefined : newest;
    });
  }

  /** After a reload: waits for an extension host other than the one known so far. */
  async renewed(): Promise<void> {
    const old = this.#address?.pid;
    this.#address = await until('a new extension host', async () => {
      const address = await this.#read();
      return address?.pid === old ? undefined : address;
    });
  }

  async #find(): Promise<Address> {
    return (this.#address ??= await until('the bridge in the extension host', () => this.#read(), 30_000));
  }

  async #read(): Promise<Address | undefined> {
    try {
      return addressSchema.parse(JSON.parse(await readFile(this.#file, 'utf8')));
    } catch (error) {
      if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
      throw error;
    }
  }
}
