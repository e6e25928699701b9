import type { RecordedEvent } from '@parley/sdk';
import type { Stage } from './stage.ts';

/** What makes an event happen. */
export interface Scenario {
  /** What happens, in a sentence. */
  readonly description: string;
  /** Resolves, once everything is done, to a test for the event that it leads to. */
  run(stage: Stage): Promise<EventTest>;
}

/** Whether it is the event of this scenario, and not one of something else that happens at the same time. */
export type EventTest = (event: RecordedEvent) => boolean;

/** The data of an event, whose type the test knows. */
export function dataOf({ data }: RecordedEvent): any {
  return data;
}

/** An event about an object, which is the data itself or a field of it. */
export function isAbout(id: string, field?: string): EventTest {
  return (event) => (field === undefined ? dataOf(event) : dataOf(event)[field])?.id === id;
}
