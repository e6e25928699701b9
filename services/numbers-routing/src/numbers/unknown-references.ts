import type { Assistants } from '../assistants/assistant-client.ts';
import type { FlowReferences, UnknownReferences } from '../call-flows/call-flow.ts';
import type { Directory } from '../directory/directory-client.ts';

interface ReferenceDeps {
  readonly directory: Pick<Directory, 'unknownEmployees'>;
  readonly assistants: Pick<Assistants, 'unknown'>;
}

/** What flows name that is not the company's, or is just being deleted. */
export async function unknownReferences(
  { directory, assistants }: ReferenceDeps,
  companyId: string,
  { employeeIds, assistantIds }: FlowReferences,
): Promise<UnknownReferences> {
  const [unknownEmployees, unknownAssistants] = await Promise.all([
    directory.unknownEmployees(companyId, employeeIds),
    assistants.unknown(companyId, assistantIds),
  ]);
  return { employees: unknownEmployees, assistants: unknownAssistants };
}
