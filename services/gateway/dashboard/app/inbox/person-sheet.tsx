import type { ReactNode } from 'react';
import { t } from '../i18n/translate.ts';
import { Sheet } from '../ui/dialog.tsx';
import type { Activity } from './activity-queries.ts';
import { PersonPane } from './person-pane.tsx';

/** The person, where there is no room for a third pane. */
export default function PersonSheet(props: { activity: Activity; onClose: () => void }): ReactNode {
  return (
    <Sheet title={t('Details')} onClose={props.onClose}>
      <PersonPane activity={props.activity} />
    </Sheet>
  );
}
