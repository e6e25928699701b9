import { empty, endpoint } from '@parley/http';
import type { OperatorPrincipal } from '@parley/rpc';
import { z } from 'zod';
import type { Clients } from '../../peers/peers.ts';
import { boundedText } from '../../routes/shared/bounded-text.ts';

export const setPassword = ({ employeeLookup, passwordAdmin }: Clients) =>
  endpoint<OperatorPrincipal>()({
    role: 'none',
    method: 'put',
    path: '/employees/:id/password',
    tag: 'Employees',
    summary: 'Set a password',
    description: 'A pending invitation stays pending. All sessions of the employee end.',
    body: z.object({ password: boundedText(200) }),
    responses: { 204: null },
    errors: [404, 422],
    async handle({ params, body, context }) {
      const { employee } = await employeeLookup.getEmployee({ id: params.id }, { as: context });
      await passwordAdmin.setPassword(
        { employeeId: params.id, companyId: employee?.companyId ?? '', password: body.password },
        { as: context },
      );
      return empty(204);
    },
  });
