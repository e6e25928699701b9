import { Failure } from './failure.ts';
import { mismatch, type Shape } from './shapes.ts';

/** Fails the check if a value is not of a shape (`shapes.ts`). `what` is the subject of the message: "the answer". */
export function expect(value: unknown, shape: Shape, what: string): void {
  const problem = mismatch(value, shape, what);
  if (problem !== undefined) throw new Failure(problem);
}

/** Fails the check with a sentence that says what was expected and what came. */
export function expectThat(holds: boolean, otherwise: string): void {
  if (!holds) throw new Failure(otherwise);
}
