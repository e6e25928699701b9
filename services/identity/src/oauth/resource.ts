/**
 * Whether `resource` (RFC 8707) names this service: the API or the MCP server, both of which take any of our tokens.
 * `issuer` is the address we were called by.
 */
export function isOwnResource(resource: string, issuer: string): boolean {
  return [issuer, `${issuer}/mcp`].includes(resource.replace(/\/$/, ''));
}
