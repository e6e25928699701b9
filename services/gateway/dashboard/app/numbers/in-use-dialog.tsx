import type { ReactNode } from 'react';
import { Link } from 'wouter';
import type { ApiError } from '../api/api-error.ts';
import { Dialog } from '../ui/dialog.tsx';
import { holdingNumbers } from './holding-numbers.ts';
import styles from './in-use-dialog.module.css';

/** Why something cannot be removed yet: the business numbers that need it, with links to where that is changed. */
export function InUseDialog(props: {
  title: string;
  error: ApiError;
  onClose: () => void;
  children: ReactNode;
}): ReactNode {
  return (
    <Dialog title={props.title} onClose={props.onClose}>
      <p role="alert">{props.children}</p>
      <ul className={styles['numbers']}>
        {holdingNumbers(props.error.body).map(({ id, name }) => (
          <li key={id}>
            <Link href={`~/dashboard/numbers/${encodeURIComponent(id)}`}>
              <bdi>{name}</bdi>
            </Link>
          </li>
        ))}
      </ul>
    </Dialog>
  );
}
