/** A text that is played to the caller; its audio is identified by the hash. */
export interface Prompt {
  readonly contentHash: string;
  /** Null while the audio is being generated. */
  readonly durationMs: number | null;
}

/** The flow of a call in the form that calls need: the specification's types differ only in what follows the prompt. */
export type CallFlow =
  | StepFlow
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

export interface MenuOption {
  readonly digit: string;
  readonly flow: StepFlow;
}

/** The no-answer flow and its timeout. */
export interface NoAnswerPlan {
  readonly timeoutSecs: number;
  readonly flow: CallFlow;
}

/** Every employee whom a flow may lead to, each once. */
export function employeesOf(flow: CallFlow): readonly string[] {
  if (flow.type === 'transfer') return flow.employeeIds;
  return flow.type === 'menu' ? [...new Set(flow.options.flatMap((option) => employeesOf(option.flow)))] : [];
}
