import { lazy, type ReactNode, Suspense, useState } from 'react';
import { t } from '../i18n/translate.ts';
import { Button } from './button.tsx';
import type { Deletion } from './delete-dialog.tsx';
import { Trash2 } from './icons/index.ts';

/** Its code is loaded by those who delete. */
const DeleteDialog = lazy(() => import('./delete-dialog.tsx'));

/** Deletes what a page is about, after a question. */
export function DeleteButton(props: Deletion): ReactNode {
  const [isAsking, setIsAsking] = useState(false);
  return (
    <>
      <Button variant="ghost" icon={Trash2} onPress={() => setIsAsking(true)}>
        {t('Delete')}
      </Button>
      {isAsking && (
        <Suspense fallback={null}>
          <DeleteDialog {...props} onClose={() => setIsAsking(false)} />
        </Suspense>
      )}
    </>
  );
}
