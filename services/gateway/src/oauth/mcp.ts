import { notFound, Refused } from '@parley/errors';
import { type Method, endpoint } from '@parley/http';
import type { EmployeePrincipal } from '@parley/rpc';

const METHODS: readonly Method[] = ['get', 'post', 'delete'];

/** `/mcp` is protected like the API and has no tools yet: whoever proves who they are finds nothing there. */
export const mcpEndpoints = () =>
  METHODS.map((method) =>
    endpoint<EmployeePrincipal>()({
      method,
      path: '/',
      tag: 'OAuth',
      summary: 'Reach the MCP server',
      operationId: `${method}Mcp`,
      body: method === 'post' ? 'bytes' : undefined,
      responses: { 204: null },
      errors: [401, 404],
      handle: () => {
        throw new Refused(notFound);
      },
    }),
  );
