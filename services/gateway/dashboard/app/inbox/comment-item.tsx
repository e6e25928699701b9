import type { ReactNode } from 'react';
import type { CommentItem as Comment } from '../api/schema.d.ts';
import { t } from '../i18n/translate.ts';
import { Avatar } from '../ui/avatar.tsx';
import { Time } from '../ui/time.tsx';
import styles from './comment-item.module.css';
import { mentionParts } from './mentions.ts';

export function CommentItem({ comment }: { comment: Comment }): ReactNode {
  const { author, text, mentions } = comment;
  const names = mentions.map(({ name }) => name);
  return (
    <li className={styles['comment']}>
      <Avatar id={author.id} name={author.name} size={20} />
      <div className={styles['words']}>
        <p className={styles['text']}>
          <strong>
            <bdi>{author.name}</bdi>
          </strong>{' '}
          <span dir="auto">
            {mentionParts(text, names).map((part, index) =>
              part.isMention ? (
                <b key={index} className={styles['mention']}>
                  {part.text}
                </b>
              ) : (
                part.text
              ),
            )}
          </span>
        </p>
        <p className={styles['meta']}>
          {t('Comment, only your team sees it')} · <Time at={comment.created_at} onlyTime />
        </p>
      </div>
    </li>
  );
}
