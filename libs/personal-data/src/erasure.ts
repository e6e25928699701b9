/** Whose data is removed. */
export interface Person {
  readonly companyId: string;
  /** E.164. */
  readonly phoneNumber: string;
  /** What began after this time is new and stays. */
  readonly before: Date;
}

/** What a step has done. */
export interface StepPortion {
  /** Records that were removed. */
  readonly removed: number;
  /** Where the step continues; undefined when nothing is left for it. */
  readonly next?: string | undefined;
  /** Something cannot be removed yet. */
  readonly isWaiting?: boolean;
  /** Where the step begins the next time, if it is done again and again. */
  readonly mark?: string;
}

/** Removes one kind of data in bounded portions. A portion that is repeated changes nothing. */
export interface ErasureStep<Subject = Person> {
  /** Part of a position, so it stays the same; without `/`. */
  readonly name: string;
  erase(subject: Subject, after: string): Promise<StepPortion>;
}

/** What was removed, and where to continue. */
export interface ErasedPortion {
  readonly removed: number;
  readonly position: string;
  readonly isDone: boolean;
  readonly isWaiting: boolean;
  /** By the name of the step. */
  readonly marks?: Readonly<Record<string, string>>;
}

/** Removes a bounded portion of what a service stores of a person, or of another subject; the first position is empty. */
export type Erase<Subject = Person> = (subject: Subject, position: string) => Promise<ErasedPortion>;

/** Runs the steps in their order, one portion at a time. */
export function erasureOf<Subject = Person>(steps: readonly ErasureStep<Subject>[]): Erase<Subject> {
  const names = steps.map(({ name }) => name);
  if (new Set(names).size < names.length) throw new Error('two steps of an erasure have the same name');
  return async (subject, position) => {
    const [name = '', ...rest] = position.split('/');
    // A step that another version had begins again: steps may be repeated.
    const index = Math.max(0, names.indexOf(name));
    const step = steps[index];
    if (!step) return { removed: 0, position, isDone: true, isWaiting: false };
    const after = names.includes(name) ? rest.join('/') : '';
    const { removed, next, isWaiting = false, mark } = await step.erase(subject, after);
    const done = { removed, isWaiting, ...(mark !== undefined && { marks: { [step.name]: mark } }) };
    if (isWaiting) return { ...done, position: `${step.name}/${next ?? after}`, isDone: false };
    if (next !== undefined) return { ...done, position: `${step.name}/${next}`, isDone: false };
    const following = steps[index + 1];
    return { ...done, position: `${following?.name ?? step.name}/`, isDone: !following };
  };
}
