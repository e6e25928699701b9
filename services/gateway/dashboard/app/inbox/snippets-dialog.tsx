import { useMutation, useQuery } from '@tanstack/react-query';
import { type FormEvent, type ReactNode, useState } from 'react';
import { api, at, ok } from '../api/client.ts';
import { queryClient } from '../api/query-client.ts';
import { queryKeys } from '../api/query-keys.ts';
import type { TextSnippet } from '../api/schema.d.ts';
import { t } from '../i18n/translate.ts';
import { announce } from '../ui/announcements.tsx';
import { Button } from '../ui/button.tsx';
import { Dialog, DialogActions } from '../ui/dialog.tsx';
import { EmptyState } from '../ui/empty-state.tsx';
import { TextArea, TextField } from '../ui/field.tsx';
import { Fields, FormActions } from '../ui/form.tsx';
import { IconButton } from '../ui/icon-button.tsx';
import { ListPlus, Pencil, Plus, Trash2 } from '../ui/icons/index.ts';
import { Failure, QueryState } from '../ui/query-state.tsx';
import { useSubmit } from '../ui/use-submit.ts';
import styles from './snippets-dialog.module.css';

/** Texts that the company has prepared: one is chosen, or they are changed. */
export default function SnippetsDialog(props: { onChoose: (text: string) => void; onClose: () => void }): ReactNode {
  const [edited, setEdited] = useState<TextSnippet | 'new'>();
  if (edited !== undefined) {
    return (
      <Dialog
        key="edit"
        title={edited === 'new' ? t('New snippet') : t('Edit snippet')}
        onClose={() => setEdited(undefined)}
      >
        <SnippetForm snippet={edited === 'new' ? undefined : edited} onDone={() => setEdited(undefined)} />
      </Dialog>
    );
  }
  return (
    <Dialog key="list" title={t('Snippets')} onClose={props.onClose}>
      <SnippetList onChoose={props.onChoose} onEdit={setEdited} />
      <DialogActions>
        <Button icon={Plus} onPress={() => setEdited('new')}>
          {t('New snippet')}
        </Button>
      </DialogActions>
    </Dialog>
  );
}

function SnippetList(props: { onChoose: (text: string) => void; onEdit: (snippet: TextSnippet) => void }): ReactNode {
  const snippets = useQuery({
    queryKey: queryKeys.snippets,
    queryFn: ({ signal }) => ok(api.GET('/api/v1/text_snippets', { signal })),
  });
  const remove = useMutation({
    mutationFn: ({ id }: TextSnippet) => ok(api.DELETE('/api/v1/text_snippets/{id}', at(id))),
    onSuccess: (_deleted, { title, text }) =>
      announce(t('{name} was deleted.', { name: title }), async () => {
        await saveSnippet({ id: undefined, title, text });
        await refreshSnippets();
      }),
    onSettled: refreshSnippets,
  });
  const [deleting, setDeleting] = useState<string>();
  return (
    <QueryState query={snippets}>
      {(list) => (
        <>
          {remove.error && <Failure error={remove.error} />}
          {list.length === 0 && (
            <EmptyState icon={ListPlus} title={t('There are no snippets yet.')}>
              {t('Write once what you text often.')}
            </EmptyState>
          )}
          <ul className={styles['list']} aria-label={t('Snippets')}>
            {list.map((snippet) => (
              <li key={snippet.id} className={styles['snippet']}>
                <button type="button" className={styles['choose']} onClick={() => props.onChoose(snippet.text)}>
                  <bdi className={styles['title']}>{snippet.title}</bdi>{' '}
                  <bdi className={styles['text']}>{snippet.text}</bdi>
                </button>
                {deleting === snippet.id ? (
                  <span className={styles['actions']}>
                    <Button
                      size="s"
                      variant="danger"
                      autoFocus
                      busy={remove.isPending}
                      onPress={() => remove.mutate(snippet, { onSettled: () => setDeleting(undefined) })}
                    >
                      {t('Delete for everybody')}
                    </Button>
                    <Button size="s" onPress={() => setDeleting(undefined)}>
                      {t('Keep')}
                    </Button>
                  </span>
                ) : (
                  <span className={styles['actions']}>
                    <IconButton
                      label={t('Edit {title}', { title: snippet.title })}
                      icon={Pencil}
                      onPress={() => props.onEdit(snippet)}
                    />
                    <IconButton
                      label={t('Delete {title}', { title: snippet.title })}
                      icon={Trash2}
                      onPress={() => setDeleting(snippet.id)}
                    />
                  </span>
                )}
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
    { storeEditsAs: `snippet ${snippet?.id ?? ''}` },
  );
  function save(event: FormEvent<HTMLFormElement>): void {
    event.preventDefault();
    event.stopPropagation();
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
      <Fields>
        <TextField
          name="title"
          label={t('Title')}
          maxLength={128}
          autoFocus
          defaultValue={snippet?.title ?? ''}
          errors={errorsOf('title')}
        />
        <TextArea name="text" label={t('Text')} rows={5} defaultValue={snippet?.text ?? ''} errors={errorsOf('text')} />
      </Fields>
      <FormActions>
        <Button type="submit" variant="primary" busy={pending}>
          {t('Save')}
        </Button>
        <Button onPress={cancel}>{t('Cancel')}</Button>
      </FormActions>
    </form>
  );
}

/** A snippet with an id is changed, one without is created. */
function saveSnippet(snippet: { id: string | undefined; title: string; text: string }): Promise<TextSnippet> {
  const { id, ...body } = snippet;
  if (id === undefined) return ok(api.POST('/api/v1/text_snippets', { body }));
  return ok(api.PATCH('/api/v1/text_snippets/{id}', { ...at(id), body }));
}

function refreshSnippets(): Promise<void> {
  return queryClient.invalidateQueries({ queryKey: queryKeys.snippets });
}
