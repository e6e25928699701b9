/** Whose data is removed. */
export interface Person {
  readonly companyId: string;
  /** E.164, or the short code or name of a sender. */
  readonly phoneNumber: string;
  /** Records that began after this time are new and stay. */
  readonly before: Date;
}

export interface StepPortion {
  /** Records that were removed. */
  readonly removed: number;
  /** The position at which the step continues; undefined when it is finished. */
  readonly next?: string | undefined;
  /** Something cannot be removed yet. */
  readonly isWaiting?: boolean;
  /** The position at which the next run of a repeated step begins. */
  readonly mark?: string;
}

/** Removes one kind of data in bounded portions. A portion that is repeated changes nothing. */
export interface ErasureStep<Subject = Person> {
  /** Part of a position, so it stays the same; without `/`. */
  readonly name: string;
  erase(subject: Subject, after: string): Promise<StepPortion>;
}

export interface ErasedPortion {
  readonly removed: number;
  readonly position: string;
  readonly isDone: boolean;
  readonly isWaiting: boolean;
  /** Keyed by the name of the step. */
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
