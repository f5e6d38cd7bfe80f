import * as z from 'zod/mini';
import { fields, lazy, maybeFlag, maybeText, open, text, texts, wire } from './schemaKit.ts';

export const PERMISSION_MODES = ['default', 'acceptEdits', 'plan', 'bypassPermissions', 'dontAsk', 'auto'] as const;
export type PermissionMode = (typeof PERMISSION_MODES)[number];

const destination = lazy(() => open(['session', 'localSettings', 'projectSettings', 'userSettings', 'cliArg']));
const rules = lazy(() => z.array(wire({ toolName: text, ruleContent: maybeText })));
const behavior = lazy(() => open(['allow', 'deny', 'ask']));

const ruleUpdate = <const Type extends string>(type: Type) =>
  lazy(() => wire({ type: z.literal(type), rules: rules(), behavior: behavior(), destination: destination() }));
const directoryUpdate = <const Type extends string>(type: Type) =>
  lazy(() => wire({ type: z.literal(type), directories: texts, destination: destination() }));

export const permissionUpdateSchemas = {
  addRules: ruleUpdate('addRules'),
  replaceRules: ruleUpdate('replaceRules'),
  removeRules: ruleUpdate('removeRules'),
  setMode: lazy(() => wire({ type: z.literal('setMode'), mode: open(PERMISSION_MODES), destination: destination() })),
  addDirectories: directoryUpdate('addDirectories'),
  removeDirectories: directoryUpdate('removeDirectories'),
};

type Updates = typeof permissionUpdateSchemas;
export type PermissionUpdateOf<Type extends keyof Updates> = z.output<ReturnType<Updates[Type]>>;
/** One change of the rules: offered by the CLI as a suggestion, sent back when the user chose it. */
export type PermissionUpdate = { [Type in keyof Updates]: PermissionUpdateOf<Type> }[keyof Updates];

const decisionClassification = lazy(() => z.enum(['user_temporary', 'user_permanent', 'user_reject']));
export type DecisionClassification = z.output<ReturnType<typeof decisionClassification>>;

/** An update as we may send it: one of the six known kinds. */
export const permissionUpdate = lazy(() =>
  z.discriminatedUnion('type', [
    permissionUpdateSchemas.addRules(),
    permissionUpdateSchemas.replaceRules(),
    permissionUpdateSchemas.removeRules(),
    permissionUpdateSchemas.setMode(),
    permissionUpdateSchemas.addDirectories(),
    permissionUpdateSchemas.removeDirectories(),
  ]),
);

/** More than this the CLI refuses. */
const MAX_UPDATES = 4096;

const allow = lazy(() =>
  wire({
    behavior: z.literal('allow'),
    /** Always sent, unchanged or not: older CLIs require it. */
    updatedInput: fields,
    updatedPermissions: z.optional(z.array(permissionUpdate()).check(z.maxLength(MAX_UPDATES))),
    toolUseID: maybeText,
    decisionClassification: z.optional(decisionClassification()),
  }),
);

const deny = lazy(() =>
  wire({
    behavior: z.literal('deny'),
    /** Reaches the model word for word; empty is taken for an invalid answer. */
    message: z.string().check(z.minLength(1)),
    interrupt: maybeFlag,
    toolUseID: maybeText,
    decisionClassification: z.optional(decisionClassification()),
  }),
);

/** The answer to `can_use_tool`. */
export const permissionResult = lazy(() => z.discriminatedUnion('behavior', [allow(), deny()]));

export type PermissionAllow = z.output<ReturnType<typeof allow>>;
export type PermissionDeny = z.output<ReturnType<typeof deny>>;
export type PermissionResult = PermissionAllow | PermissionDeny;

export function isPermissionUpdateType(type: unknown): type is keyof Updates {
  return typeof type === 'string' && Object.hasOwn(permissionUpdateSchemas, type);
}
