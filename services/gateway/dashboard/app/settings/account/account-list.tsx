import { useMutation } from '@tanstack/react-query';
import { type ReactNode, useId } from 'react';
import { t } from '../../i18n/translate.ts';
import { announce } from '../../ui/announcements.tsx';
import { Button } from '../../ui/button.tsx';
import { type Icon, MEDIUM } from '../../ui/icon.ts';
import styles from './account.module.css';
import { Time } from '../../ui/time.tsx';

/** A key, an app or a browser with access. */
export function AccountItem(props: {
  icon: Icon;
  name: ReactNode;
  details: ReactNode;
  /** Resolves once the list has been read again. */
  revoke: () => Promise<unknown>;
  /** Further controls before *Revoke*, described by the name. */
  children?: (nameId: string) => ReactNode;
}): ReactNode {
  const { icon: Shape } = props;
  const nameId = useId();
  const revoke = useMutation({ mutationFn: props.revoke, onError: (error) => announce(error.message) });
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
        {props.children?.(nameId)}
        <Button size="s" busy={revoke.isPending} aria-describedby={nameId} onPress={() => revoke.mutate()}>
          {t('Revoke')}
        </Button>
      </div>
    </li>
  );
}

export function LastUsed({ at }: { at: string | null }): ReactNode {
  if (at === null) return t('never used');
  return (
    <>
      {t('last used')} <Time at={at} withTime />
    </>
  );
}
