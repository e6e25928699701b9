import { AssistantEngine } from '@parley/proto/assistant/v1/assistants_pb';
import {
  type ExplainedAssistant,
  type ExplainedEmployee,
  type ExplainRouteResponse,
  type NoAnswerPlan,
  RoutingSlot,
} from '@parley/proto/numbers_routing/v1/routing_pb';
import { z } from 'zod';
import { breakSchema, businessHoursEntryJson, businessHoursEntrySchema } from './business-number-json.ts';
import { closureJson, closureSchema } from './closure-json.ts';
import { callFlowJson, callFlowSchema } from './call-flow-json.ts';
import { isoTime, isoTimeOf } from '@parley/public-json';

const explainedEmployeeSchema = z
  .object({
    id: z.string(),
    name: z.string(),
    digit: z.string().nullable().describe('The menu key that leads here; null outside a menu'),
    would_ring: z.boolean(),
    reason: z.string().nullable().describe('Why the employee would not ring'),
  })
  .meta({ id: 'ExplainedEmployee' });

const explainedAssistantSchema = z
  .object({
    id: z.string(),
    name: z.string(),
    digit: z.string().nullable().describe('The menu key that leads here; null outside a menu'),
    active: z.boolean().describe('Calls to one that is not active go to the fallback at once'),
    engine: z.enum(['embedded', 'endpoint']).describe('What would decide its next sentence now'),
  })
  .meta({ id: 'ExplainedAssistant' });

/** The slot that applies with its reason, the flow that would run and the employees who would be rung. */
export const routeExplanationSchema = z
  .object({
    at: z.string(),
    timezone: z.string(),
    local_time: z.string(),
    business_hours: businessHoursEntrySchema.describe('Of that day'),
    within_business_hours: z.boolean(),
    closure: closureSchema.nullable().describe('The closure of that day; null when there is none'),
    break: breakSchema.nullable().describe('The break at that time; null when there is none'),
    changes_at: z.string().nullable().describe('When the business hours next begin or end; null if never'),
    active: z.boolean(),
    slot: z.enum(['incoming_call_config', 'outside_business_hours_config']),
    reasons: z.array(z.string()),
    flow: callFlowSchema.nullable().describe('The flow that would run; null while the number is inactive'),
    employees: z.array(explainedEmployeeSchema).describe('Everyone the flow names, fallbacks of assistants included'),
    assistants: z.array(explainedAssistantSchema).describe('The assistants that answer in the flow'),
    no_answer: z
      .object({
        timeout_secs: z.int(),
        flow: callFlowSchema,
        employees: z.array(explainedEmployeeSchema),
        assistants: z.array(explainedAssistantSchema),
      })
      .nullable()
      .describe('The no-answer flow; null when there is none'),
  })
  .meta({ id: 'RouteExplanation' });

export function routeExplanationJson(route: ExplainRouteResponse): z.output<typeof routeExplanationSchema> {
  if (!route.businessHours) throw new Error('an explanation without its hours');
  return {
    at: isoTimeOf(route.at),
    timezone: route.timezone,
    local_time: route.localTime,
    business_hours: businessHoursEntryJson(route.businessHours),
    within_business_hours: route.withinBusinessHours,
    closure: route.closure ? closureJson(route.closure) : null,
    break: route.currentBreak ? { from: route.currentBreak.from, to: route.currentBreak.to } : null,
    changes_at: isoTime(route.changesAt),
    active: route.active,
    slot: route.slot === RoutingSlot.OUTSIDE_BUSINESS_HOURS ? 'outside_business_hours_config' : 'incoming_call_config',
    reasons: route.reasons,
    flow: route.flow ? callFlowJson(route.flow) : null,
    employees: route.employees.map(employeeJson),
    assistants: route.assistants.map(assistantJson),
    no_answer: route.noAnswer ? noAnswerJson(route.noAnswer, route) : null,
  };
}

function noAnswerJson({ timeoutSecs, flow }: NoAnswerPlan, route: ExplainRouteResponse) {
  if (!flow) throw new Error('a no-answer plan without a flow');
  return {
    timeout_secs: timeoutSecs,
    flow: callFlowJson(flow),
    employees: route.noAnswerEmployees.map(employeeJson),
    assistants: route.noAnswerAssistants.map(assistantJson),
  };
}

function assistantJson({ id, name, digit, active, engine }: ExplainedAssistant) {
  const inUse = engine === AssistantEngine.ENDPOINT ? ('endpoint' as const) : ('embedded' as const);
  return { id, name, digit: digit ?? null, active, engine: inUse };
}

function employeeJson({ id, name, digit, wouldRing, reason }: ExplainedEmployee) {
  return { id, name, digit: digit ?? null, would_ring: wouldRing, reason: reason ?? null };
}
