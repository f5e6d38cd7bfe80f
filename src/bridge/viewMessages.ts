import * as z from 'zod/mini';
import { mostAttachments } from './limits.ts';

/**
 * What the view may say to the host. The view draws model-written text, so the host treats every message as coming from
 * a stranger: strict objects, bounded strings, unknown kinds refused.
 */
const most = (length: number) => z.string().check(z.maxLength(length));
const id = z.string().check(z.minLength(1), z.maxLength(200));
const natural = z.int().check(z.nonnegative());
const positive = z.int().check(z.positive());
const text = most(10_000_000);
const path = z.string().check(z.minLength(1), z.maxLength(4_096));

/** Something a person put into the composer besides words. */
export const attachmentSchema = z.discriminatedUnion('kind', [
  z.strictObject({
    kind: z.literal('image'),
    id,
    name: most(500),
    mediaType: z.enum(['image/png', 'image/jpeg', 'image/gif', 'image/webp']),
    data: z.base64().check(z.maxLength(30_000_000)),
  }),
  z.strictObject({ kind: z.literal('file'), id, name: most(500), path }),
  /** A piece of the editor, as it was when it was put in. */
  z.strictObject({
    kind: z.literal('context'),
    id,
    name: most(500),
    what: z.enum(['selection', 'file', 'problems']),
    text,
  }),
]);

const attachments = z.array(attachmentSchema).check(z.maxLength(mostAttachments));
/** Messages that come back into one draft may hold more together than one of them could. */
const drafted = z.array(attachmentSchema).check(z.maxLength(10 * mostAttachments));

const answer = z.discriminatedUnion('type', [
  z.strictObject({
    type: z.literal('allow'),
    /** The text as edited on the card, only when it was changed. */
    edited: z.optional(text),
    /** Hunks left out on the card, by index. */
    leftOut: z.optional(z.array(natural).check(z.maxLength(100_000))),
    /** Which of the CLI's suggestions to remember. */
    always: z.optional(z.array(natural).check(z.maxLength(100))),
  }),
  z.strictObject({
    type: z.literal('deny'),
    reason: most(100_000),
    stop: z.boolean(),
    /** A plan as changed on the card, for the agent to plan on with. */
    plan: z.optional(text),
  }),
  z.strictObject({
    type: z.literal('answers'),
    answers: z.record(most(10_000), most(100_000)),
    notes: z.optional(z.record(most(10_000), most(100_000))),
  }),
  /** For an MCP server. What was filled in, by the name of the field; the host holds it against what was asked for. */
  z.strictObject({
    type: z.literal('elicitation'),
    action: z.enum(['accept', 'decline', 'cancel']),
    values: z.record(
      most(10_000),
      z.union([most(100_000), z.boolean(), z.array(most(10_000)).check(z.maxLength(10_000))]),
    ),
  }),
  z.strictObject({ type: z.literal('plan'), plan: z.optional(text), mode: z.optional(most(100)) }),
]);

export const viewMessageSchema = z.discriminatedUnion('type', [
  /** The view has loaded, or has lost the thread, and wants everything. */
  z.strictObject({ type: z.literal('ready') }),
  /** The revision that is painted; the host sends no more than a little ahead of it. */
  z.strictObject({ type: z.literal('ack'), revision: natural }),
  /** What stands in the composer, a moment after it changed; `key` says in which conversation. */
  z.strictObject({ type: z.literal('draft'), key: id, text: most(1_000_000), revision: natural }),
  /** What is attached to the draft, as soon as it changed. */
  z.strictObject({ type: z.literal('attachments'), key: id, attachments: drafted }),
  /** The chip of the editor is not wanted for what is selected now. */
  z.strictObject({ type: z.literal('removeSelection'), id }),
  z.strictObject({ type: z.literal('stop') }),
  z.strictObject({ type: z.literal('cancelQueued'), id }),
  /** It comes to the composer once the agent has let go of it. */
  z.strictObject({ type: z.literal('editQueued'), id }),
  z.strictObject({ type: z.literal('sendQueuedNow'), id }),
  z.strictObject({ type: z.literal('answer'), askId: id, answer }),
  z.strictObject({ type: z.literal('showProposal'), askId: id }),
  /** A hunk was ticked or unticked; the hunk's new state comes back with the item. */
  z.strictObject({ type: z.literal('chooseHunk'), askId: id, hunk: natural, take: z.boolean() }),
  z.strictObject({ type: z.literal('openLink'), href: most(8_192) }),
  /** The page that a server asks the person to open. */
  z.strictObject({ type: z.literal('openAskedPage'), askId: id }),
  z.strictObject({
    type: z.literal('openFile'),
    path,
    line: z.optional(positive),
    column: z.optional(positive),
  }),
  z.strictObject({ type: z.literal('copy'), text }),
  z.strictObject({ type: z.literal('insertAtCursor'), text }),
  z.strictObject({ type: z.literal('setModel'), value: most(200) }),
  z.strictObject({ type: z.literal('setMode'), value: most(100) }),
  z.strictObject({ type: z.literal('setEffort'), value: most(100) }),
  z.strictObject({ type: z.literal('rewind'), itemId: id }),
  z.strictObject({ type: z.literal('undoRewind'), itemId: id }),
  z.strictObject({ type: z.literal('resend'), itemId: id }),
  /** Branch the session off after this message, in a tab of its own. */
  z.strictObject({ type: z.literal('fork'), itemId: id }),
  z.strictObject({ type: z.literal('stopTask'), taskId: id }),
  z.strictObject({ type: z.literal('openSession'), sessionId: id }),
  z.strictObject({
    type: z.literal('action'),
    action: z.enum([
      'restart',
      'retry',
      'stop',
      'showLog',
      'openSettings',
      'signIn',
      'newSession',
      'continue',
      'dismiss',
      'fork',
      'diagnose',
    ]),
  }),
  /** Whether the keyboard is in the view: the host opens nothing over an editor that somebody types in. */
  z.strictObject({ type: z.literal('keyboard'), here: z.boolean() }),
  /** A fault in the view, for the log. */
  z.strictObject({ type: z.literal('fault'), message: most(10_000) }),
]);

export type ViewMessage = z.infer<typeof viewMessageSchema>;
export type ViewAnswer = z.infer<typeof answer>;
export type ViewAttachment = z.infer<typeof attachmentSchema>;

/** Questions of the view that get an answer (`HostAnswers` in hostMessages.ts, by the same names). */
export const viewRequestSchema = z.discriminatedUnion('name', [
  /** It leaves the composer only when the host has answered that it has it. */
  z.strictObject({
    name: z.literal('send'),
    /** The draft that it was. */
    key: id,
    text,
    attachments,
    /** The chip of the editor that was shown with it. */
    selection: z.optional(id),
    /** Send it into the running turn at once instead of queueing it. */
    now: z.boolean(),
  }),
  z.strictObject({
    name: z.literal('readItems'),
    from: natural,
    count: positive.check(z.maximum(500)),
  }),
  /** Where an item stands now. */
  z.strictObject({ name: z.literal('locate'), itemId: id }),
  /** Where a text stands in the whole conversation. */
  z.strictObject({ name: z.literal('find'), query: most(1_000) }),
  z.strictObject({ name: z.literal('completeFile'), query: most(1_000) }),
  /** The whole of a text that was cut: which item, and which of its texts. */
  z.strictObject({
    name: z.literal('readFull'),
    itemId: id,
    part: z.enum(['input', 'output', 'errorOutput', 'prompt']),
  }),
]);

export type ViewRequest = z.infer<typeof viewRequestSchema>;
