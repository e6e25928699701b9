import type { CommandStartedEvent, Db, MongoClient } from 'mongodb';

/** What one query costs by its plan. */
export interface QueryCost {
  readonly collection: string;
  readonly index: string | undefined;
  /** Whether it goes through the whole collection. */
  readonly scans: boolean;
  /** Documents it looked at. */
  readonly examined: number;
}

/** Does some work and explains every query it made. `client` must monitor its commands. */
export async function costsOf(client: MongoClient, db: Db, work: () => Promise<unknown>): Promise<QueryCost[]> {
  const started: CommandStartedEvent[] = [];
  const listen = (event: CommandStartedEvent) => void started.push(event);
  client.on('commandStarted', listen);
  try {
    await work();
  } finally {
    client.off('commandStarted', listen);
  }
  const costs: QueryCost[] = [];
  for (const { commandName, command } of started) {
    if (commandName !== 'find' && commandName !== 'aggregate') continue;
    const { lsid: _, $db, $clusterTime, ...asked } = command;
    const explained = await db.command({ explain: asked, verbosity: 'executionStats' });
    const text = JSON.stringify(explained);
    costs.push({
      collection: command[commandName],
      index: /"indexName":"(\w+)"/.exec(text)?.[1],
      scans: text.includes('COLLSCAN'),
      examined: Number(/"totalDocsExamined":(\d+)/.exec(text)?.[1] ?? 0),
    });
  }
  return costs;
}
