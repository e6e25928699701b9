import { empty, type Endpoint, endpoint, json } from '@parley/http';
import { isoTime } from '@parley/public-json';
import type { ApiKey } from '@parley/proto/identity/v1/api_keys_pb';
import { z } from 'zod';
import type { EvictCredential } from '../credentials/verified-credentials.ts';
import type { Clients } from '../peers/peers.ts';
import { lineText } from '../routes/shared/bounded-text.ts';
import type { SignedInVisitor } from './signed-in-visitor.ts';

const apiKeySchema = z
  .object({
    id: z.string(),
    name: z.string(),
    created_at: z.string().nullable(),
    last_used_at: z.string().nullable(),
    old_key_valid_until: z.string().nullable(),
  })
  .meta({ id: 'OwnApiKey' });

const newKeySchema = z.object({ api_key: z.string().describe('Shown once') }).meta({ id: 'NewApiKey' });

const OVERLAP_HOURS_MAX = 24;
const SECS_PER_HOUR = 3600;

export const apiKeyEndpoints = ({ apiKeys }: Clients, evict: EvictCredential): Endpoint<SignedInVisitor>[] => [
  endpoint<SignedInVisitor>('none')({
    route: 'GET /api_keys',
    summary: 'List one’s own API keys',
    operationId: 'listOwnApiKeys',
    responses: { 200: z.array(apiKeySchema) },
    async handle({ context: { employee } }) {
      const { apiKeys: keys } = await apiKeys.listOwnApiKeys({}, { as: employee });
      return json(200, keys.map(apiKeyJson));
    },
  }),
  endpoint<SignedInVisitor>('none')({
    route: 'POST /api_keys',
    summary: 'Create an API key',
    body: z.object({ name: lineText(128) }),
    responses: { 201: newKeySchema },
    errors: { 422: 'validation_failed, limit_reached' },
    async handle({ body: { name }, context: { employee } }) {
      const { apiKey } = await apiKeys.createOwnApiKey({ name }, { as: employee });
      return json(201, { api_key: apiKey });
    },
  }),
  endpoint<SignedInVisitor>('none')({
    route: 'POST /api_keys/:id/rotation',
    summary: 'Rotate an API key',
    body: z.object({ old_key_valid_hours: z.number().min(0).max(OVERLAP_HOURS_MAX) }),
    responses: { 201: newKeySchema },
    errors: [404],
    async handle({ params: { id }, body, context: { employee } }) {
      const overlapSecs = Math.round(body.old_key_valid_hours * SECS_PER_HOUR);
      const { apiKey } = await apiKeys.rotateOwnApiKey({ id, overlapSecs }, { as: employee });
      evict({ credentialId: id, employeeId: employee.employeeId });
      return json(201, { api_key: apiKey });
    },
  }),
  endpoint<SignedInVisitor>('none')({
    route: 'DELETE /api_keys/:id',
    summary: 'Revoke an API key',
    responses: { 204: null },
    errors: [404],
    async handle({ params: { id }, context: { employee } }) {
      await apiKeys.revokeOwnApiKey({ id }, { as: employee });
      evict({ credentialId: id, employeeId: employee.employeeId });
      return empty(204);
    },
  }),
];

function apiKeyJson({ id, name, createdAt, lastUsedAt, oldSecretUntil }: ApiKey): z.output<typeof apiKeySchema> {
  return {
    id,
    name,
    created_at: isoTime(createdAt),
    last_used_at: isoTime(lastUsedAt),
    old_key_valid_until: isoTime(oldSecretUntil),
  };
}
