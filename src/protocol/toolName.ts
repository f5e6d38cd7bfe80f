const ALIASES: ReadonlyMap<string, string> = new Map([
  ['Task', 'Agent'],
  ['KillShell', 'TaskStop'],
  ['KillBash', 'TaskStop'],
  ['ListMcpResources', 'ListMcpResourcesTool'],
  ['ReadMcpResource', 'ReadMcpResourceTool'],
]);

/** The present name of a tool. A tool_use keeps the name the model wrote, and the list of tools still says `Task`. */
export function canonicalToolName(name: string): string {
  return ALIASES.get(name) ?? name;
}

const MCP_NAME = /^mcp__(.+?)__(.+)$/s;

/** Server and tool of an MCP tool's name (`mcp__server__tool`), `undefined` for any other. */
export function mcpToolName(name: string): { server: string; name: string } | undefined {
  const [, server, tool] = MCP_NAME.exec(name) ?? [];
  return server === undefined || tool === undefined ? undefined : { server, name: tool };
}
