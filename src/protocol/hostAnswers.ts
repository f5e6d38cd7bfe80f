import * as z from 'zod/mini';
import {
  anything,
  count,
  flag,
  lazy,
  maybeAnything,
  maybeCount,
  maybeFields,
  maybeFlag,
  maybeText,
  nullishText,
  open,
  text,
  wire,
} from './schemaKit.ts';

const mcpServer = lazy(() =>
  wire({
    name: text,
    status: open(['connected', 'failed', 'needs-auth', 'pending', 'disabled']),
    serverInfo: maybeFields,
    error: nullishText,
    /** May hold secrets: never log or show it whole. */
    config: maybeFields,
    scope: maybeText,
    source: maybeText,
    transport: maybeText,
    tools: z.optional(z.array(wire({ name: text, description: maybeText, annotations: maybeAnything }))),
  }),
);
export const mcpServers = lazy(() => z.array(mcpServer()));
export type McpServerStatus = z.output<ReturnType<typeof mcpServer>>;

const usageCategory = lazy(() =>
  wire({
    id: maybeText,
    name: text,
    tokens: count,
    color: maybeText,
    kind: maybeText,
    isDeferred: maybeFlag,
  }),
);

export const contextUsage = lazy(() =>
  wire({
    categories: z.array(usageCategory()),
    totalTokens: count,
    maxTokens: count,
    rawMaxTokens: maybeCount,
    percentage: count,
    gridRows: maybeAnything,
    model: maybeText,
    memoryFiles: z.optional(z.array(wire({ path: text, type: maybeText, tokens: maybeCount }))),
    mcpTools: z.optional(z.array(anything)),
    agents: z.optional(z.array(anything)),
    skills: maybeAnything,
    messageBreakdown: maybeFields,
    apiUsage: z.optional(z.nullable(z.record(text, anything))),
    isAutoCompactEnabled: maybeFlag,
    autoCompactThreshold: maybeCount,
  }),
);
export type ContextUsage = z.output<ReturnType<typeof contextUsage>>;

const permissionRule = lazy(() =>
  wire({
    behavior: open(['allow', 'deny', 'ask']),
    source: text,
    rule: text,
    description: maybeAnything,
    editability: maybeAnything,
    notInEffect: maybeAnything,
  }),
);
export const permissionRules = lazy(() =>
  wire({
    rules: z.array(permissionRule()),
    workspaceDirectories: z.array(anything),
    originalCwd: maybeText,
    managedOnly: z.optional(flag),
    errors: maybeAnything,
    withheld: maybeAnything,
  }),
);
export type PermissionRules = z.output<ReturnType<typeof permissionRules>>;
