import * as z from 'zod/mini';
import type { HookInput } from './hookEvents.ts';
import { hookInput } from './hookEvents.ts';
import type { PermissionUpdate } from './permission.ts';
import { isPermissionUpdateType, permissionUpdateSchemas } from './permission.ts';
import type { TakeNote } from './readValue.ts';
import { readValue } from './readValue.ts';
import type { Fields } from './schemaKit.ts';
import {
  alreadyRead,
  anything,
  fields,
  identity,
  isFields,
  lazy,
  maybeAnything,
  maybeFields,
  maybeFlag,
  maybeText,
  maybeTexts,
  open,
  text,
  wire,
} from './schemaKit.ts';

export const DECISION_REASON_TYPES = [
  'rule',
  'mode',
  'subcommandResults',
  'permissionPromptTool',
  'hook',
  'asyncAgent',
  'sandboxOverride',
  'workingDir',
  'safetyCheck',
  'classifier',
  'other',
] as const;

const schemas = {
  can_use_tool: lazy(() =>
    wire({
      subtype: z.literal('can_use_tool'),
      tool_name: identity,
      input: fields,
      tool_use_id: maybeText,
      permission_suggestions: z.optional(alreadyRead<PermissionUpdate[]>(Array.isArray)),
      blocked_path: maybeText,
      /** May hold terminal escapes: neutralise before showing. */
      decision_reason: maybeText,
      decision_reason_type: z.optional(open(DECISION_REASON_TYPES)),
      title: maybeText,
      display_name: maybeText,
      description: maybeText,
      agent_id: maybeText,
      mcp_server: z.optional(wire({ name: text, source: maybeText })),
      requires_user_interaction: maybeFlag,
      default_to_no: maybeFlag,
      suppress_always_allow_rule: maybeFlag,
      classifier_approvable: maybeFlag,
      matched_ask_rule: maybeAnything,
      server_policy_ask_only: maybeFlag,
      decision_reason_hook_event: maybeText,
      decision_reason_hook_source: maybeText,
    }),
  ),
  hook_callback: lazy(() =>
    wire({
      subtype: z.literal('hook_callback'),
      callback_id: identity,
      input: alreadyRead<HookInput>(isFields),
      tool_use_id: maybeText,
    }),
  ),
  mcp_message: lazy(() => wire({ subtype: z.literal('mcp_message'), server_name: identity, message: fields })),
  elicitation: lazy(() =>
    wire({
      subtype: z.literal('elicitation'),
      mcp_server_name: text,
      message: text,
      mode: z.optional(open(['form', 'url'])),
      url: maybeText,
      elicitation_id: maybeText,
      requested_schema: maybeFields,
      property_order: maybeTexts,
      title: maybeText,
      display_name: maybeText,
      description: maybeText,
    }),
  ),
  request_user_dialog: lazy(() =>
    wire({
      subtype: z.literal('request_user_dialog'),
      dialog_kind: identity,
      payload: anything,
      tool_use_id: maybeText,
    }),
  ),
};

type Schemas = typeof schemas;
export type CliRequestSubtype = keyof Schemas;
export type CliRequestOf<Subtype extends CliRequestSubtype> = z.output<ReturnType<Schemas[Subtype]>>;
export type CanUseToolRequest = CliRequestOf<'can_use_tool'>;
export type HookCallbackRequest = CliRequestOf<'hook_callback'>;
export type McpMessageRequest = CliRequestOf<'mcp_message'>;
export type ElicitationRequest = CliRequestOf<'elicitation'>;
export type UserDialogRequest = CliRequestOf<'request_user_dialog'>;

export interface UnknownCliRequest {
  subtype: 'unknown';
  rawSubtype?: string;
  raw: Fields;
}

export type CliRequest =
  { [Subtype in CliRequestSubtype]: CliRequestOf<Subtype> }[CliRequestSubtype] | UnknownCliRequest;

/** A question of the CLI. Every one is answered once, or cancelled, or closed by the end of the process. */
export interface CliControlRequest {
  type: 'control_request';
  request_id: string;
  request: CliRequest;
}

export const elicitationAnswer = lazy(() =>
  wire({ action: z.enum(['accept', 'decline', 'cancel']), content: maybeFields }),
);
export type ElicitationAnswer = z.output<ReturnType<typeof elicitationAnswer>>;

export const userDialogAnswer = lazy(() =>
  z.discriminatedUnion('behavior', [
    wire({ behavior: z.literal('completed'), result: anything }),
    wire({ behavior: z.literal('cancelled') }),
  ]),
);
export type UserDialogAnswer = z.output<ReturnType<typeof userDialogAnswer>>;

export const mcpMessageAnswer = lazy(() => wire({ mcp_response: fields }));
export type McpMessageAnswer = z.output<ReturnType<typeof mcpMessageAnswer>>;

/** `undefined` when the frame has no `request_id`: nobody could be answered. */
export function readCliControlRequest(frame: Fields, note: TakeNote): CliControlRequest | undefined {
  const id = frame['request_id'];
  if (typeof id !== 'string' || id === '') {
    note('invalidField', 'control_request: no request_id');
    return undefined;
  }
  return { ...frame, type: 'control_request', request_id: id, request: readCliRequest(frame['request'], note) };
}

function readCliRequest(value: unknown, note: TakeNote): CliRequest {
  const raw = isFields(value) ? value : {};
  const subtype = raw['subtype'];
  if (typeof subtype !== 'string') {
    note('invalidField', 'control_request: no subtype');
    return { subtype: 'unknown', raw };
  }
  if (!isSubtype(subtype)) {
    note('unknownKind', 'control_request: an unknown subtype');
    return { subtype: 'unknown', rawSubtype: subtype, raw };
  }
  return readKnown(subtype, raw, note) ?? { subtype: 'unknown', rawSubtype: subtype, raw };
}

function isSubtype(subtype: string): subtype is CliRequestSubtype {
  return Object.hasOwn(schemas, subtype);
}

function readKnown(subtype: CliRequestSubtype, raw: Fields, note: TakeNote): CliRequest | undefined {
  if (subtype === 'can_use_tool' && raw['permission_suggestions'] !== undefined) {
    const suggestions = readPermissionUpdates(raw['permission_suggestions'], note);
    return readValue(schemas.can_use_tool(), { ...raw, permission_suggestions: suggestions }, note);
  }
  if (subtype === 'hook_callback') {
    const input = readValue(hookInput(), raw['input'], note) ?? { hook_event_name: '' };
    return readValue(schemas.hook_callback(), { ...raw, input }, note);
  }
  return readValue(schemas[subtype](), raw, note);
}

/** Suggestions we cannot read are left out: what is not understood must not be offered as "always allow". */
export function readPermissionUpdates(value: unknown, note: TakeNote): PermissionUpdate[] {
  if (!Array.isArray(value)) {
    note('invalidField', 'permission_suggestions: expected array');
    return [];
  }
  const entries: readonly unknown[] = value;
  return entries.flatMap(entry => {
    const type = isFields(entry) ? entry['type'] : undefined;
    if (!isPermissionUpdateType(type)) {
      note('unknownKind', 'permission_suggestions: an update of an unknown type');
      return [];
    }
    const update: PermissionUpdate | undefined = readValue(permissionUpdateSchemas[type](), entry, note);
    return update === undefined ? [] : [update];
  });
}
