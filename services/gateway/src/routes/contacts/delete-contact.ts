import { empty, endpoint } from '@parley/http';
import type { EmployeePrincipal } from '@parley/rpc';
import type { Clients } from '../../peers/peers.ts';

export const deleteContact = ({ contacts }: Clients) =>
  endpoint<EmployeePrincipal>()({
    role: 'member',
    method: 'delete',
    path: '/contacts/:id',
    tag: 'Contacts',
    summary: 'Delete a contact',
    description: 'Archived calls keep their phone numbers but are no longer linked to the contact.',
    responses: { 204: null },
    errors: [404],
    async handle({ params, context }) {
      await contacts.deleteContact({ id: params.id }, { as: context });
      return empty(204);
    },
  });
