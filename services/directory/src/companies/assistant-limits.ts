/** How much a company's phone assistants may do. */
export interface AssistantLimits {
  /** Whether they answer calls. */
  readonly enabled: boolean;
  /** Sessions with callers at once. */
  readonly simultaneousSessions: number;
  /** In UTC; null for any number. */
  readonly monthlyMinutes: number | null;
}

export const DEFAULT_ASSISTANT_LIMITS: AssistantLimits = {
  enabled: true,
  simultaneousSessions: 5,
  monthlyMinutes: null,
};

const SESSIONS_MAX = 10_000;
/** More than a month of 10,000 sessions at once would be 400 million: whoever needs more needs no limit. */
const MINUTES_MAX = 1_000_000;

/** Returns the problems of limits that an operator wants to set. Zero is allowed: no sessions at all. */
export function assistantLimitProblems(change: Partial<AssistantLimits>): Record<string, string[]> {
  return {
    ...numberProblem('assistant.simultaneous_sessions', change.simultaneousSessions, SESSIONS_MAX),
    ...numberProblem('assistant.monthly_minutes', change.monthlyMinutes ?? undefined, MINUTES_MAX),
  };
}

function numberProblem(field: string, value: number | undefined, max: number): Record<string, string[]> {
  if (value === undefined || (Number.isInteger(value) && value >= 0 && value <= max)) return {};
  return { [field]: [`must be a whole number from 0 to ${max}`] };
}
