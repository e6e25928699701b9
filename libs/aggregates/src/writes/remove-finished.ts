import type { DocumentWriter } from './document-writer.ts';
import type { Outbox } from '../outbox/outbox.ts';

/** Writes a document without its published events and confirmed commands, unless another write has removed them meanwhile. */
export function removeFinished(
  writer: DocumentWriter,
  outbox: Outbox,
  id: string,
  isWanted: () => boolean,
): Promise<boolean> {
  return writer.updateBookkeeping(
    id,
    (stored) => {
      const extra = outbox.write(stored, stored._deleted);
      return extra && { extra };
    },
    isWanted,
  );
}
