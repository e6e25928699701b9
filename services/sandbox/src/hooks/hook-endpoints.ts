import { setTimeout as sleep } from 'node:timers/promises';
import type { Clock } from '@parley/clock';
import { json, empty, type Endpoint, endpoint } from '@parley/http';
import { z } from 'zod';
import { type HookPlan, hookPlanInput, planFrom } from './hook-plan.ts';
import type { Hooks, ReceivedRequest } from './hooks.ts';

const BODY_BYTES_MAX = 8 * 1024 * 1024;

const planJson = z.object({
  responses: z.array(z.object({ status: z.int(), headers: z.record(z.string(), z.string()), body: z.string() })),
  delay_ms: z.int(),
});

const receivedRequestJson = z.object({
  received_at: z.iso.datetime(),
  headers: z.record(z.string(), z.union([z.string(), z.array(z.string())])),
  body: z.json(),
  raw_body: z.string(),
  answered: z.int().nullable(),
});

export function hookEndpoints({ hooks, clock }: { hooks: Hooks; clock: Clock }): Endpoint<undefined>[] {
  const set = endpoint('none')({
    route: 'PUT /hooks/:name',
    tag: 'Webhook receiver',
    summary: 'Set the responses of a receiver',
    body: hookPlanInput,
    responses: { 200: planJson },
    handle({ params, body }) {
      const plan = planFrom(body);
      hooks.plan(params.name, plan);
      return json(200, planView(plan));
    },
  });

  // Declared without `endpoint()`: the plan decides the status, so no declaration can list them.
  const receive: Endpoint<undefined> = {
    role: 'none',
    method: 'post',
    path: '/hooks/:name',
    tag: 'Webhook receiver',
    summary: 'Receive a request',
    body: 'bytes',
    bodyBytesMax: BODY_BYTES_MAX,
    responses: { 200: '*/*' },
    async handle({ params, body, request, signal }) {
      const rawBody = (body as Buffer).toString('utf8');
      const arrived = { receivedAt: clock.now(), headers: request.headers, rawBody };
      const { received, response: planned, delayMs } = hooks.receive(params.name, arrived);
      // Real time, because the sender's timeout is being tested. A sender that disconnects ends the wait without a response.
      if (delayMs > 0) await sleep(delayMs, undefined, { signal });
      received.answered = planned.status;
      const { status, headers, body: content } = planned;
      return content === '' ? empty(status, headers) : { kind: 'content', status, headers, content };
    },
  };

  const listNames = endpoint('none')({
    route: 'GET /hooks',
    tag: 'Webhook receiver',
    summary: 'List the receivers',
    responses: { 200: z.array(z.object({ name: z.string(), received: z.int() })) },
    handle: () =>
      json(
        200,
        hooks.names().map((name) => ({ name, received: hooks.received(name).length })),
      ),
  });

  const list = endpoint('none')({
    route: 'GET /hooks/:name',
    tag: 'Webhook receiver',
    summary: 'List what a receiver has received',
    responses: { 200: z.array(receivedRequestJson) },
    handle: ({ params }) => json(200, hooks.received(params.name).map(receivedRequestView)),
  });

  const clear = endpoint('none')({
    route: 'DELETE /hooks/:name',
    tag: 'Webhook receiver',
    summary: 'Delete what a receiver has received',
    responses: { 204: null },
    handle({ params }) {
      hooks.clear(params.name);
      return empty(204);
    },
  });

  return [set, receive, listNames, list, clear];
}

function planView({ responses, delayMs }: HookPlan): z.infer<typeof planJson> {
  return { responses: responses.map((entry) => ({ ...entry })), delay_ms: delayMs };
}

function receivedRequestView({
  receivedAt,
  headers,
  rawBody,
  answered,
}: ReceivedRequest): z.infer<typeof receivedRequestJson> {
  return {
    received_at: receivedAt.toISOString(),
    headers: headers as Record<string, string | string[]>,
    body: parsed(rawBody),
    raw_body: rawBody,
    answered,
  };
}

/** Null when the body is not JSON. */
function parsed(rawBody: string): z.infer<ReturnType<typeof z.json>> {
  try {
    return JSON.parse(rawBody);
  } catch {
    return null;
  }
}
