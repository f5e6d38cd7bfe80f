import type { CliFrame } from '../../../src/protocol/cliFrame.ts';
import type { HostFrame } from '../../../src/protocol/hostFrame.ts';
import type { Transport, TransportClose, TransportListener, WireProblem } from '../../../src/protocol/transport.ts';

/** What went over the line, in the order in which it did. */
export type WireEvent =
  | { readonly dir: 'in'; readonly frame: HostFrame }
  | { readonly dir: 'out'; readonly frame: CliFrame }
  | { readonly dir: 'problem'; readonly problem: WireProblem }
  | { readonly dir: 'close'; readonly close: TransportClose };

/** A transport that passes everything on and keeps a copy. */
export class Wiretap implements Transport {
  readonly events: WireEvent[] = [];
  readonly #line: Transport;

  constructor(line: Transport) {
    this.#line = line;
  }

  get sent(): HostFrame[] {
    return this.events.flatMap(event => (event.dir === 'in' ? [event.frame] : []));
  }

  get received(): CliFrame[] {
    return this.events.flatMap(event => (event.dir === 'out' ? [event.frame] : []));
  }

  get problems(): WireProblem[] {
    return this.events.flatMap(event => (event.dir === 'problem' ? [event.problem] : []));
  }

  /** Answers the host wrote to the questions of the CLI. */
  get answers() {
    return this.sent.flatMap(frame => (frame.type === 'control_response' ? [frame.response] : []));
  }

  /** Bodies of the answers that were no errors. */
  get answerBodies(): unknown[] {
    return this.answers.flatMap(answer => (answer.subtype === 'success' ? [answer.response] : []));
  }

  /** Questions of the CLI. */
  get asked() {
    return this.received.filter(frame => frame.type === 'control_request');
  }

  ofType<Type extends CliFrame['type']>(type: Type): Extract<CliFrame, { type: Type }>[] {
    return this.received.filter((frame): frame is Extract<CliFrame, { type: Type }> => frame.type === type);
  }

  system(subtype: string): CliFrame[] {
    return this.received.filter(frame => frame.type === 'system' && frame.subtype === subtype);
  }

  open(listener: TransportListener): void {
    this.#line.open({
      onFrame: frame => {
        this.events.push({ dir: 'out', frame });
        listener.onFrame(frame);
      },
      onProblem: problem => {
        this.events.push({ dir: 'problem', problem });
        listener.onProblem(problem);
      },
      onClose: close => {
        this.events.push({ dir: 'close', close });
        listener.onClose(close);
      },
    });
  }

  send(frame: HostFrame): Promise<void> {
    this.events.push({ dir: 'in', frame });
    return this.#line.send(frame);
  }

  stop(): Promise<TransportClose> {
    return this.#line.stop();
  }
}
