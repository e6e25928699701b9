import type { CommandStartedEvent, Db, Document, MongoClient, Sort } from 'mongodb';

export interface QueryPlan {
  /** `find`, `aggregate`, `update`, … */
  readonly command: string;
  readonly collection: string;
  /** From the outermost; an index scan with its index: `IXSCAN due`. */
  readonly stages: readonly string[];
  /** The first index; undefined for a scan of the collection. */
  readonly index: string | undefined;
  /** True when it reads the whole collection or sorts in memory. */
  readonly isUnindexed: boolean;
  readonly docsExamined: number;
  readonly keysExamined: number;
  readonly returned: number;
}

/** The plan of a query as the stores of `@parley/aggregates` send it, which leave out tombstones. */
export function documentQueryPlan(
  db: Db,
  collection: string,
  filter: object,
  { sort = {}, limit = 10 }: { sort?: Sort; limit?: number } = {},
): Promise<QueryPlan> {
  return explainCommand(db, { find: collection, filter: { ...filter, _deleted: false }, sort, limit });
}

/** The plans of the queries and updates that `work` sends; `client` must have `monitorCommands`. */
export async function queryPlans(client: MongoClient, db: Db, work: () => Promise<unknown>): Promise<QueryPlan[]> {
  const commands: Document[] = [];
  const listen = ({ command, commandName }: CommandStartedEvent) => {
    if (EXPLAINABLE.has(commandName)) commands.push(structuredClone(command));
  };
  client.on('commandStarted', listen);
  try {
    await work();
  } finally {
    client.off('commandStarted', listen);
  }
  return Promise.all(commands.map((command) => explainCommand(db, command)));
}

const EXPLAINABLE = new Set(['find', 'aggregate', 'count', 'distinct', 'update', 'delete', 'findAndModify']);

export async function explainCommand(db: Db, sent: Document): Promise<QueryPlan> {
  const { lsid: _lsid, $db: _db, $clusterTime: _time, writeConcern: _concern, ...command } = sent;
  // MongoDB can explain only one of several updates or deletes in a command.
  for (const bulk of ['updates', 'deletes']) if (command[bulk]) command[bulk] = command[bulk].slice(0, 1);
  const explained = await db.command({ explain: command, verbosity: 'executionStats' });
  const stats = explained['executionStats'] ?? explained['stages'][0].$cursor.executionStats;
  const stages = stagesOf(stats.executionStages);
  const [name = ''] = Object.keys(command);
  return {
    command: name,
    collection: command[name],
    stages,
    index: stages.find((stage) => stage.includes(' '))?.split(' ')[1],
    isUnindexed: stages.some((stage) => stage === 'COLLSCAN' || stage === 'SORT'),
    docsExamined: stats.totalDocsExamined,
    keysExamined: stats.totalKeysExamined,
    returned: stats.nReturned,
  };
}

function stagesOf(stage: Document | undefined): string[] {
  if (!stage) return [];
  const below = [stage['inputStage'], ...(stage['inputStages'] ?? [])].flatMap(stagesOf);
  return [stage['indexName'] ? `${stage['stage']} ${stage['indexName']}` : stage['stage'], ...below];
}
