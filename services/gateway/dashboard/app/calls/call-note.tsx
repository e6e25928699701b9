import { type ReactNode, useState } from 'react';
import { Link } from 'wouter';
import { api, at, ok } from '../api/client.ts';
import { queryClient } from '../api/query-client.ts';
import { queryKeys } from '../api/query-keys.ts';
import type { Call } from '../api/schema.d.ts';
import { t } from '../i18n/translate.ts';
import { announce } from '../ui/announcements.tsx';
import { Badge } from '../ui/badge.tsx';
import { TextArea, TextField } from '../ui/field.tsx';
import { isFormValues } from '../ui/form-values.ts';
import { Fields, Form, textIn } from '../ui/form.tsx';
import { IconButton } from '../ui/icon-button.tsx';
import { Pencil } from '../ui/icons/index.ts';
import { readUnsavedEdits } from '../ui/unsaved-edits.ts';
import { useSubmit } from '../ui/use-submit.ts';
import styles from './call-page.module.css';
import { tagsOf } from './call-tags.ts';

interface Change {
  readonly note: string | null;
  readonly tags: string[];
}

/** The team's note about a call; a tag links to all calls that have it. */
export function CallNote({ call }: { call: Call }): ReactNode {
  const isEmpty = call.note === null && call.tags.length === 0;
  const [isEditing, setIsEditing] = useState(() => readUnsavedEdits(editsName(call.id), isFormValues) !== undefined);
  return (
    <section className={styles['part']} aria-label={t('Note and tags')}>
      <div className={styles['part-head']}>
        <h2 className={styles['heading']}>{t('Note and tags')}</h2>
        {!isEmpty && (
          <IconButton
            label={t('Edit')}
            icon={Pencil}
            aria-expanded={isEditing}
            onPress={() => setIsEditing(!isEditing)}
          />
        )}
      </div>
      {call.note !== null && !isEditing && (
        <p className={styles['note']}>
          <bdi>{call.note}</bdi>
        </p>
      )}
      {call.tags.length > 0 && (
        <ul className={styles['tags']} aria-label={t('Tags')}>
          {call.tags.map((tag) => (
            <li key={tag}>
              <Link href={`~/dashboard/calls?${new URLSearchParams({ tag })}`}>
                <Badge tone="accent">
                  <bdi>{tag}</bdi>
                </Badge>
              </Link>
            </li>
          ))}
        </ul>
      )}
      {(isEmpty || isEditing) && (
        // Another one when somebody else has changed it; what was typed here is kept.
        <NoteForm key={JSON.stringify([call.note, call.tags])} call={call} onSaved={() => setIsEditing(false)} />
      )}
    </section>
  );
}

const editsName = (id: string) => `note of ${id}`;

function NoteForm({ call, onSaved }: { call: Call; onSaved: () => void }): ReactNode {
  const { id } = call;
  const change = (body: Change) => ok(api.PATCH('/api/v1/calls/{id}', { ...at(id), body }));
  const sending = useSubmit(
    change,
    (saved) => {
      queryClient.setQueryData(queryKeys.call(id), saved);
      announce(t('Note and tags saved.'), async () =>
        queryClient.setQueryData(queryKeys.call(id), await change({ note: call.note, tags: call.tags })),
      );
      onSaved();
    },
    { storeEditsAs: editsName(id) },
  );
  const { errorsOf } = sending;
  return (
    <Form
      sending={sending}
      onSubmit={(typed) => sending.submit({ note: textIn(typed, 'note') || null, tags: tagsOf(textIn(typed, 'tags')) })}
      submitLabel={t('Save')}
      button={{ variant: 'secondary', size: 's' }}
    >
      <Fields>
        <TextArea label={t('Note')} name="note" defaultValue={call.note ?? ''} errors={errorsOf('note')} />
        <TextField
          label={t('Tags')}
          name="tags"
          defaultValue={call.tags.join(', ')}
          errors={errorsOf('tags')}
          hint={t('Separated by commas.')}
        />
      </Fields>
    </Form>
  );
}
