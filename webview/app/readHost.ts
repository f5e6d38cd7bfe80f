import type { HostAnswers, HostMessage } from '../../src/bridge/hostMessages.ts';

const kinds: ReadonlySet<unknown> = new Set<HostMessage['type']>([
  'hello',
  'snapshot',
  'patch',
  'composer',
  'selection',
  'draft',
  'draftMoved',
  'focus',
]);

/**
 * The host is our own code of the same package, so its messages are recognised by their kind and not checked field by
 * field: a schema library in the page would cost more than the page.
 */
export function readHostMessage(value: unknown): HostMessage {
  if (!isHostMessage(value)) throw new Error('Not a message of the host');
  return value;
}

function isHostMessage(value: unknown): value is HostMessage {
  return isObject(value) && 'type' in value && kinds.has(value.type);
}

export function isSent(value: unknown): value is HostAnswers['send'] {
  return isObject(value) && (!('problem' in value) || typeof value.problem === 'string');
}

export function isReadItems(value: unknown): value is HostAnswers['readItems'] {
  return isObject(value) && 'items' in value && Array.isArray(value.items) && 'revision' in value;
}

export function isLocate(value: unknown): value is HostAnswers['locate'] {
  return isObject(value) && 'index' in value && typeof value.index === 'number' && 'total' in value;
}

export function isFind(value: unknown): value is HostAnswers['find'] {
  return isObject(value) && 'matches' in value && Array.isArray(value.matches) && 'total' in value;
}

export function isCompleteFile(value: unknown): value is HostAnswers['completeFile'] {
  return isObject(value) && 'paths' in value && Array.isArray(value.paths);
}

export function isReadFull(value: unknown): value is HostAnswers['readFull'] {
  return isObject(value) && 'text' in value && typeof value.text === 'string';
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}
