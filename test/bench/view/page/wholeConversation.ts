import type { HostMessage, PatchOp } from '../../../../src/bridge/hostMessages.ts';
import type { ViewItem } from '../../../../src/bridge/viewItem.ts';
import type { VsCodeApi } from '../../../../webview/app/vscodeApi.ts';

interface Envelope {
  readonly kind: 'message' | 'answer';
  readonly id?: number;
  readonly body: unknown;
}

/** A view that holds the whole conversation, as most do: reads it all when it opens, then follows the patches. */
export class WholeConversation {
  readonly items: ViewItem[] = [];
  readonly #api: VsCodeApi;
  readonly #draw: (changed: number) => void;
  readonly #answers = new Map<number, (body: { readonly items: readonly ViewItem[] }) => void>();
  #next = 1;

  /** `draw` hears the first place that changed. */
  constructor(api: VsCodeApi, draw: (changed: number) => void) {
    this.#api = api;
    this.#draw = draw;
    window.addEventListener('message', ({ data }: MessageEvent<Envelope>) => {
      // The bench's own host speaks here, in the bridge's own types.
      if (data.kind === 'message') this.#hear(data.body as HostMessage);
      else this.#answers.get(data.id ?? 0)?.(data.body as { readonly items: readonly ViewItem[] });
    });
    this.#post({ type: 'ready' });
  }

  #hear(message: HostMessage): void {
    if (message.type === 'snapshot') void this.#readAll(message.total, message.revision);
    else if (message.type === 'patch') {
      const changed = Math.min(...message.ops.map(op => this.#apply(op)));
      this.#draw(changed);
      this.#acknowledge(message.revision);
    }
  }

  async #readAll(total: number, revision: number): Promise<void> {
    for (let from = 0; from < total; from += 500) {
      const id = this.#next++;
      const page = await new Promise<{ readonly items: readonly ViewItem[] }>(resolve => {
        this.#answers.set(id, resolve);
        this.#api.postMessage({ kind: 'request', id, body: { name: 'readItems', from, count: 500 } });
      });
      this.items.push(...page.items);
    }
    this.#draw(0);
    this.#acknowledge(revision);
  }

  #apply(op: PatchOp): number {
    if (op.op === 'session') return this.items.length;
    if (op.op === 'add') {
      this.items.splice(op.index, 0, op.item);
      return op.index;
    }
    const id = op.op === 'update' ? op.item.id : op.id;
    const index = this.items.findLastIndex(item => item.id === id);
    const item = this.items[index];
    if (op.op === 'update') this.items[index] = op.item;
    else if (op.op === 'remove') this.items.splice(index, 1);
    else if (item?.kind === 'text') this.items[index] = { ...item, text: item.text + op.text };
    return index;
  }

  #acknowledge(revision: number): void {
    requestAnimationFrame(() => setTimeout(() => this.#post({ type: 'ack', revision }), 0));
  }

  #post(body: unknown): void {
    this.#api.postMessage({ kind: 'message', body });
  }
}
