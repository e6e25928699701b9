import type { ReactNode } from 'react';
import { t } from '../../i18n/translate.ts';
import { Button } from '../../ui/button.tsx';
import { type Icon, MEDIUM } from '../../ui/icon.ts';
import styles from './account.module.css';

/** Keys, apps and browsers with access. */
export function AccountList({ children }: { children: ReactNode }): ReactNode {
  return <ul className={styles['list']}>{children}</ul>;
}

export function AccountItem(props: {
  icon: Icon;
  nameId: string;
  name: ReactNode;
  details: ReactNode;
  isRevoking: boolean;
  onRevoke: () => void;
  /** Further controls before *Revoke*. */
  children?: ReactNode;
}): ReactNode {
  const { icon: Shape, nameId } = props;
  return (
    <li className={styles['item']}>
      <span className={styles['shape']}>
        <Shape {...MEDIUM} />
      </span>
      <div className={styles['about']}>
        <span id={nameId} className={styles['name']}>
          {props.name}
        </span>
        <span className={styles['details']}>{props.details}</span>
      </div>
      <div className={styles['actions']}>
        {props.children}
        <Button size="s" busy={props.isRevoking} aria-describedby={nameId} onPress={props.onRevoke}>
          {t('Revoke')}
        </Button>
      </div>
    </li>
  );
}
