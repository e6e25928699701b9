import { json, endpoint } from '@parley/http';
import type { OperatorPrincipal } from '@parley/rpc';
import { z } from 'zod';
import { employeeJson, employeeSchema } from '@parley/public-json';
import type { Clients } from '../../peers/peers.ts';
import { NO_PRESENCE } from '../../presence/live-presences.ts';
import { operatorCompanyJson, operatorCompanySchema } from './company-json.ts';
import { boundedText, emailText, nameText } from '../../routes/shared/bounded-text.ts';

/**
 * The company and its owner are directory's, the password and the first key identity's. Should identity fail half-way,
 * the company exists and the operator sets the owner's password and creates a key with separate requests.
 */
export const createCompany = ({ apiKeyAdmin, companyAdmin, passwordAdmin }: Clients) =>
  endpoint<OperatorPrincipal>()({
    role: 'none',
    method: 'post',
    path: '/companies',
    tag: 'Companies',
    summary: 'Create a company',
    description: 'With its owner, who counts as signed in, and a first API key of the owner.',
    body: z.object({
      name: nameText,
      country: boundedText(2, 'is not a supported country'),
      messaging_enabled: z.boolean().default(false),
      owner: z.object({ name: nameText, email: emailText, password: z.string().min(8).max(200) }),
    }),
    responses: { 201: z.object({ company: operatorCompanySchema, owner: employeeSchema, api_key: z.string() }) },
    errors: [422],
    async handle({ body, context }) {
      const as = context;
      const { company, owner } = await companyAdmin.createCompany(
        {
          name: body.name,
          country: body.country,
          messagingEnabled: body.messaging_enabled,
          ownerName: body.owner.name,
          ownerEmail: body.owner.email,
        },
        { as },
      );
      const employee = { employeeId: owner!.id, companyId: company!.id };
      await passwordAdmin.setPassword({ ...employee, password: body.owner.password }, { as });
      const { apiKey } = await apiKeyAdmin.createApiKey({ ...employee, name: 'First key' }, { as });
      return json(201, {
        company: operatorCompanyJson(company!),
        owner: employeeJson(owner!, NO_PRESENCE),
        api_key: apiKey,
      });
    },
  });
