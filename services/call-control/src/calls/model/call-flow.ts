/** A text that is played to the caller; its audio is identified by the hash. */
export interface Prompt {
  readonly contentHash: string;
  /** Null while the audio is being generated. */
  readonly durationMs: number | null;
}

/** The flow of a call in the form that calls need: the specification's types differ only in what follows the prompt. */
export type CallFlow =
  | StepFlow
  | AssistantFlow
  | { readonly type: 'menu'; readonly prompt: Prompt; readonly options: readonly MenuOption[] };

/** A flow without a choice. */
export type StepFlow =
  | { readonly type: 'transfer'; readonly prompt: Prompt | null; readonly employeeIds: readonly string[] }
  | { readonly type: 'voicemail'; readonly prompt: Prompt | null }
  /** Plays and hangs up. */
  | { readonly type: 'message'; readonly prompt: Prompt | null }
  | ForwardFlow;

/** Calls a phone outside the company. */
export interface ForwardFlow {
  readonly type: 'forward';
  /** E.164. */
  readonly phoneNumber: string;
  /** The ring time. */
  readonly timeoutSecs: number;
  /** The person who answers must press a key. */
  readonly confirm: boolean;
}

/** Has an assistant answer. */
export interface AssistantFlow {
  readonly type: 'assistant';
  readonly assistantId: string;
  readonly name: string;
  /** Where the caller goes when the assistant cannot or should not go on. */
  readonly fallback: StepFlow;
}

export interface MenuOption {
  readonly digit: string;
  readonly flow: StepFlow | AssistantFlow;
}

/** The no-answer flow and its timeout. */
export interface NoAnswerPlan {
  readonly timeoutSecs: number;
  readonly flow: CallFlow;
}

/** Every employee whom a flow may lead to, each once. */
export function employeesOf(flow: CallFlow): readonly string[] {
  if (flow.type === 'transfer') return flow.employeeIds;
  if (flow.type === 'assistant') return employeesOf(flow.fallback);
  return flow.type === 'menu' ? [...new Set(flow.options.flatMap((option) => employeesOf(option.flow)))] : [];
}
