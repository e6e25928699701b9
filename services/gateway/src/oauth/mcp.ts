import { notFound, Refused } from '@parley/errors';
import { type Method, route } from '@parley/http';
import type { EmployeePrincipal } from '@parley/rpc';

const METHODS: readonly Method[] = ['get', 'post', 'delete'];

/** `/mcp` is protected like the API and has no tools yet: whoever proves who they are finds nothing there. */
export const mcpRoutes = () =>
  METHODS.map((method) =>
    route<EmployeePrincipal>()({
      method,
      path: '/',
      tag: 'OAuth',
      summary: 'Reach the MCP server',
      operationId: `${method}Mcp`,
      body: method === 'post' ? 'bytes' : undefined,
      answers: { 204: null },
      refuses: [401, 404],
      handle: () => {
        throw new Refused(notFound);
      },
    }),
  );
