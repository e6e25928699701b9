import { json, endpoint } from '@parley/http';
import type { OperatorPrincipal } from '@parley/rpc';
import { z } from 'zod';
import type { Clients } from '../../peers/peers.ts';
import { boundedText } from '../../routes/shared/bounded-text.ts';

export const createApiKey = ({ apiKeyAdmin, employeeLookup }: Clients) =>
  endpoint<OperatorPrincipal>()({
    role: 'none',
    method: 'post',
    path: '/employees/:id/api_keys',
    tag: 'Employees',
    summary: 'Create an API key',
    description: 'The key is shown here and never again.',
    body: z.object({ name: boundedText(128) }),
    responses: { 201: z.object({ id: z.string(), name: z.string(), api_key: z.string() }) },
    errors: [404, 422],
    async handle({ params, body, context }) {
      const { employee } = await employeeLookup.getEmployee({ id: params.id }, { as: context });
      const { id, name, apiKey } = await apiKeyAdmin.createApiKey(
        { employeeId: params.id, companyId: employee?.companyId ?? '', name: body.name },
        { as: context },
      );
      return json(201, { id, name, api_key: apiKey });
    },
  });
