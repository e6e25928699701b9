import { useMutation } from '@tanstack/react-query';
import { type FormEvent, type ReactNode, useState } from 'react';
import type { TextSnippet } from '../api/schema.d.ts';
import { Dialog } from '../ui/dialog.tsx';
import { TextArea, TextField } from '../ui/field.tsx';
import { Failure, QueryState } from '../ui/query-state.tsx';
import { useSubmit } from '../ui/use-submit.ts';
import { deleteSnippet, refreshSnippets, saveSnippet, useSnippets } from './snippet-queries.ts';

/** Texts that the company has prepared: one is chosen, or they are changed. */
export function SnippetsDialog(props: { onChoose: (text: string) => void; onClose: () => void }): ReactNode {
  const [edited, setEdited] = useState<TextSnippet | 'new'>();
  if (edited !== undefined) {
    return (
      <Dialog key="edit" title={edited === 'new' ? 'New snippet' : 'Edit snippet'} onClose={() => setEdited(undefined)}>
        <SnippetForm snippet={edited === 'new' ? undefined : edited} onDone={() => setEdited(undefined)} />
      </Dialog>
    );
  }
  return (
    <Dialog key="list" title="Snippets" onClose={props.onClose}>
      <SnippetList onChoose={props.onChoose} onEdit={setEdited} />
      <button type="button" className="quiet" onClick={() => setEdited('new')}>
        New snippet
      </button>
    </Dialog>
  );
}

function SnippetList(props: { onChoose: (text: string) => void; onEdit: (snippet: TextSnippet) => void }): ReactNode {
  const snippets = useSnippets();
  const remove = useMutation({ mutationFn: deleteSnippet, onSettled: refreshSnippets });
  const [deleting, setDeleting] = useState<string>();
  return (
    <QueryState query={snippets} what="snippets">
      {(list) => (
        <>
          {remove.error && <Failure error={remove.error} />}
          {list.length === 0 && <p className="soft">There are no snippets yet.</p>}
          <ul className="list snippets" aria-label="Snippets">
            {list.map((snippet) => (
              <li key={snippet.id}>
                <button type="button" className="plain snippet" onClick={() => props.onChoose(snippet.text)}>
                  <strong>{snippet.title}</strong>
                  <span className="soft">{snippet.text}</span>
                </button>
                <div className="actions">
                  <button
                    type="button"
                    className="quiet"
                    aria-label={`Edit ${snippet.title}`}
                    onClick={() => props.onEdit(snippet)}
                  >
                    Edit
                  </button>
                  {deleting === snippet.id ? (
                    <>
                      <button
                        type="button"
                        className="danger"
                        autoFocus
                        disabled={remove.isPending}
                        onClick={() => remove.mutate(snippet.id, { onSettled: () => setDeleting(undefined) })}
                      >
                        Delete for everybody
                      </button>
                      <button type="button" className="quiet" onClick={() => setDeleting(undefined)}>
                        Keep
                      </button>
                    </>
                  ) : (
                    <button
                      type="button"
                      className="danger"
                      aria-label={`Delete ${snippet.title}`}
                      onClick={() => setDeleting(snippet.id)}
                    >
                      Delete
                    </button>
                  )}
                </div>
              </li>
            ))}
          </ul>
        </>
      )}
    </QueryState>
  );
}

function SnippetForm({ snippet, onDone }: { snippet: TextSnippet | undefined; onDone: () => void }): ReactNode {
  const { submit, pending, errorsOf, error, form, unsaved } = useSubmit(
    saveSnippet,
    async () => {
      await refreshSnippets();
      onDone();
    },
    { keepAs: `snippet ${snippet?.id ?? ''}` },
  );
  function save(event: FormEvent<HTMLFormElement>): void {
    event.preventDefault();
    const typed = new FormData(event.currentTarget);
    submit({ id: snippet?.id, title: String(typed.get('title')), text: String(typed.get('text')) });
  }
  function cancel(): void {
    unsaved.discard();
    onDone();
  }
  return (
    <form ref={form} onSubmit={save} noValidate>
      {error && <Failure error={error} />}
      <TextField
        name="title"
        label="Title"
        maxLength={128}
        autoFocus
        defaultValue={snippet?.title ?? ''}
        errors={errorsOf('title')}
      />
      <TextArea name="text" label="Text" rows={5} defaultValue={snippet?.text ?? ''} errors={errorsOf('text')} />
      <div className="actions">
        <button disabled={pending}>Save</button>
        <button type="button" className="quiet" onClick={cancel}>
          Cancel
        </button>
      </div>
    </form>
  );
}
