import { boundedArray, endpoint, json } from '@parley/http';
import { employeeJson, employeeSchema } from '@parley/public-json';
import type { OperatorPrincipal } from '@parley/rpc';
import { z } from 'zod';
import type { Clients } from '../../peers/peers.ts';
import { NO_PRESENCE } from '../../presence/live-presences.ts';
import { boundedText, emailText, nameText } from '../../routes/shared/bounded-text.ts';
import { pageCursor, pageLimit } from '../../routes/shared/page-query.ts';
import { companyDeletionEndpoints } from './company-deletion-endpoints.ts';
import { companyJson, companySchema } from '../../routes/company/company-json.ts';
import type { Company } from '@parley/proto/directory/v1/companies_pb';

export const companyEndpoints = (clients: Clients) => [
  createCompany(clients),
  listCompanies(clients),
  getCompany(clients),
  updateCompany(clients),
  ...companyDeletionEndpoints(clients),
];

const limitsSchema = z.object({
  simultaneous_calls: z.int(),
  calls_per_minute: z.int(),
  employee_simultaneous_calls: z.int(),
  employee_calls_per_minute: z.int(),
});

const destinationsSchema = z.object({
  countries: z.array(z.string()),
  premium_rate: z.boolean(),
  satellite: z.boolean(),
});

const assistantSchema = z.object({
  enabled: z.boolean().describe('Whether its assistants answer calls'),
  simultaneous_sessions: z.int().describe('Callers who talk with an assistant at once'),
  monthly_minutes: z
    .int()
    .nullable()
    .describe('Minutes that callers talk with assistants in a month, in UTC; null for any number'),
});

/** A company as the operator sees it: what partners see, the messaging flag, and what its calls and assistants may be. */
const operatorCompanySchema = companySchema
  .extend({
    messaging_enabled: z.boolean(),
    suspended: z.boolean(),
    limits: limitsSchema,
    destinations: destinationsSchema,
    assistant: assistantSchema,
  })
  .meta({ id: 'OperatorCompany' });

function operatorCompanyJson(company: Company): z.output<typeof operatorCompanySchema> {
  const { limits, destinations, assistant } = company;
  return {
    ...companyJson(company),
    messaging_enabled: company.messagingEnabled,
    suspended: company.suspended,
    limits: {
      simultaneous_calls: limits?.simultaneousCalls ?? 0,
      calls_per_minute: limits?.callsPerMinute ?? 0,
      employee_simultaneous_calls: limits?.employeeSimultaneousCalls ?? 0,
      employee_calls_per_minute: limits?.employeeCallsPerMinute ?? 0,
    },
    destinations: {
      countries: destinations?.countries ?? [],
      premium_rate: destinations?.premiumRate ?? false,
      satellite: destinations?.satellite ?? false,
    },
    assistant: {
      enabled: assistant?.enabled ?? false,
      simultaneous_sessions: assistant?.simultaneousSessions ?? 0,
      monthly_minutes: assistant?.monthlyMinutes ?? null,
    },
  };
}

/**
 * The company and its owner are directory's, the password and the first key identity's. Should identity fail half-way,
 * the company exists and the operator sets the owner's password and creates a key with separate requests.
 */
const createCompany = ({ apiKeyAdmin, companyAdmin, passwordAdmin }: Clients) =>
  endpoint<OperatorPrincipal>('none')({
    route: 'POST /companies',
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

const listCompanies = ({ companyAdmin }: Clients) =>
  endpoint<OperatorPrincipal>('none')({
    route: 'GET /companies',
    summary: 'List companies',
    description: 'Newest first, in pages.',
    query: z.object({
      query: z.string().max(255).optional().describe('Parts of words of the name, all of which it has'),
      limit: pageLimit,
      cursor: pageCursor,
    }),
    responses: { 200: z.object({ companies: z.array(operatorCompanySchema), next_cursor: z.string().nullable() }) },
    errors: [422],
    async handle({ query: { query = '', limit, cursor = '' }, context }) {
      const page = await companyAdmin.listCompanies({ query, limit, cursor }, { as: context });
      return json(200, { companies: page.companies.map(operatorCompanyJson), next_cursor: page.nextCursor || null });
    },
  });

const getCompany = ({ companyAdmin }: Clients) =>
  endpoint<OperatorPrincipal>('none')({
    route: 'GET /companies/:id',
    summary: 'Retrieve a company',
    responses: { 200: operatorCompanySchema },
    errors: [404],
    async handle({ params, context }) {
      const { company } = await companyAdmin.getCompanyByOperator({ id: params.id }, { as: context });
      return json(200, operatorCompanyJson(company!));
    },
  });

/** The service checks the exact bounds. */
const limit = z.int().min(0).max(10_000).optional();
const limitsChange = z.object({
  simultaneous_calls: limit,
  calls_per_minute: limit,
  employee_simultaneous_calls: limit,
  employee_calls_per_minute: limit,
});
const destinationsChange = z.object({
  countries: boundedArray(boundedText(2, 'is not the code of a country'), 300).optional(),
  premium_rate: z.boolean().optional(),
  satellite: z.boolean().optional(),
});

const assistantChange = z.object({
  enabled: z.boolean().optional(),
  simultaneous_sessions: limit,
  monthly_minutes: z.int().min(0).max(1_000_000).nullable().optional(),
});

const updateCompany = ({ companyAdmin }: Clients) =>
  endpoint<OperatorPrincipal>('none')({
    route: 'PATCH /companies/:id',
    summary: 'Update a company',
    description:
      'Omitted fields keep their values, also within `limits`, `destinations` and `assistant`. While a company is suspended, its credentials are refused, calls to it are rejected and its webhooks wait; calls in progress end. Texts to it are kept.',
    body: z.object({
      name: nameText.optional(),
      messaging_enabled: z.boolean().optional(),
      suspended: z.boolean().optional(),
      limits: limitsChange.optional(),
      destinations: destinationsChange.optional(),
      assistant: assistantChange.optional(),
    }),
    responses: { 200: operatorCompanySchema },
    errors: [404, 409, 422],
    async handle({ params, body, context }) {
      const { limits, destinations, assistant } = body;
      const change = {
        id: params.id,
        name: body.name,
        messagingEnabled: body.messaging_enabled,
        suspended: body.suspended,
        ...(limits && {
          limits: {
            simultaneousCalls: limits.simultaneous_calls,
            callsPerMinute: limits.calls_per_minute,
            employeeSimultaneousCalls: limits.employee_simultaneous_calls,
            employeeCallsPerMinute: limits.employee_calls_per_minute,
          },
        }),
        ...(destinations && {
          destinations: {
            ...(destinations.countries && { countries: { codes: destinations.countries } }),
            premiumRate: destinations.premium_rate,
            satellite: destinations.satellite,
          },
        }),
        ...(assistant && {
          assistant: {
            enabled: assistant.enabled,
            simultaneousSessions: assistant.simultaneous_sessions,
            monthlyMinutes: monthlyMinutesMessage(assistant.monthly_minutes),
          },
        }),
      };
      const { company } = await companyAdmin.updateCompanyByOperator(change, { as: context });
      return json(200, operatorCompanyJson(company!));
    },
  });

/** Undefined is "as it is", a message without minutes is no limit. */
function monthlyMinutesMessage(minutes: number | null | undefined) {
  if (minutes === undefined) return undefined;
  return minutes === null ? {} : { minutes };
}
