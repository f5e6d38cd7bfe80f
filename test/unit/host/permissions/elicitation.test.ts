import { describe, expect, it } from 'vitest';
import type { ElicitationUi } from '../../../../src/host/permissions/elicitation.ts';
import { elicitationBy } from '../../../../src/host/permissions/elicitation.ts';
import type { ElicitationRequest } from '../../../../src/protocol/cliRequests.ts';

const t = (message: string, ...values: unknown[]): string =>
  message.replace(/\{(\d)\}/g, (_, at) => String(values[Number(at)]));

function form(properties: Record<string, unknown>): ElicitationRequest {
  return {
    subtype: 'elicitation',
    mcp_server_name: 'weather',
    message: 'Where are you?',
    mode: 'form',
    requested_schema: { type: 'object', properties, required: Object.keys(properties) },
  };
}

function page(url: string): ElicitationRequest {
  return { subtype: 'elicitation', mcp_server_name: 'weather', message: 'Sign in', mode: 'url', url };
}

/** A person who presses one button and types the same into every field; notes what they saw. */
class Person implements ElicitationUi {
  readonly seen: string[] = [];
  readonly told: string[] = [];
  readonly opened: string[] = [];
  readonly t = t;
  readonly #press: string | undefined;
  readonly #type: (field: string) => string | undefined;
  opens = true;

  constructor(press: string | undefined, type: (field: string) => string | undefined = () => 'Oslo') {
    this.#press = press;
    this.#type = type;
  }

  offer(text: string): Promise<string | undefined> {
    this.seen.push(text);
    return Promise.resolve(this.#press);
  }

  askField(field: { readonly key: string }): Promise<string | undefined> {
    return Promise.resolve(this.#type(field.key));
  }

  openPage(url: string): Promise<boolean> {
    this.opened.push(url);
    return Promise.resolve(this.opens);
  }

  tell(text: string): void {
    this.told.push(text);
  }
}

const never = new AbortController().signal;
const ask = (person: Person, request: ElicitationRequest, signal = never) => elicitationBy(person)(request, signal);
const town = form({ town: { type: 'string' } });

describe('What a server wants to know', () => {
  it('is answered, declined or left by the person alone', async () => {
    expect(await ask(new Person('Answer…'), town)).toEqual({ action: 'accept', content: { town: 'Oslo' } });
    expect(await ask(new Person('Decline'), town)).toEqual({ action: 'decline' });
    expect(await ask(new Person(undefined), town)).toEqual({ action: 'cancel' });
    expect(await ask(new Person('Answer…', () => undefined), town)).toEqual({ action: 'cancel' });
  });

  it('is an error, and told, when it cannot be shown: nobody declined', async () => {
    const person = new Person('Answer…');
    await expect(ask(person, form({ nested: { type: 'object' } }))).rejects.toThrow('cannot be shown');
    await expect(ask(person, page('javascript:alert(1)'))).rejects.toThrow('no address');
    await expect(ask(person, page('command:handrail.acceptProposal'))).rejects.toThrow('no address');
    expect(person.seen).toEqual([]);
    expect(person.told).toHaveLength(3);
    expect(person.told[0]).toContain('weather');
  });

  it('opens a page only after a yes, and says so when it does not open', async () => {
    const person = new Person('Open Page');
    expect(await ask(person, page('https://example.com/sign-in'))).toEqual({ action: 'accept' });
    expect(person.seen[0]).toContain('a page of example.com');
    person.opens = false;
    await expect(ask(person, page('https://example.com/'))).rejects.toThrow('could not be opened');
  });

  it('opens nothing and asks no further once the server took it back', async () => {
    const withdrawn = new AbortController();
    const late = new Person('Open Page');
    withdrawn.abort();
    expect(await ask(late, page('https://example.com/'), withdrawn.signal)).toEqual({ action: 'cancel' });
    expect(late.opened).toEqual([]);
    const middle = new AbortController();
    const fields: string[] = [];
    const typing = new Person('Answer…', key => {
      fields.push(key);
      middle.abort();
      return 'x';
    });
    const two = form({ a: { type: 'string' }, b: { type: 'string' } });
    expect(await ask(typing, two, middle.signal)).toEqual({ action: 'cancel' });
    expect(fields).toEqual(['a']);
  });

  it('cannot smuggle a link into the notification', async () => {
    const person = new Person('Decline');
    await ask(person, { ...town, message: '[Yes](command:handrail.acceptProposal)' });
    expect(person.seen[0]).not.toContain('](');
  });
});
