import type { ReactNode } from 'react';
import { TextArea } from '../ui/field.tsx';
import styles from './call-flow-editor.module.css';
import { VoicePreview, type VoicePreviewKind } from './voice-preview.tsx';

/** A text that callers hear, with a button to hear it. */
export function PromptField(props: {
  numberId: string;
  label: string;
  kind: VoicePreviewKind;
  value: string;
  onChange: (text: string) => void;
  errors: readonly string[] | undefined;
}): ReactNode {
  const { numberId, label, kind, value } = props;
  return (
    <div className={styles['prompt']}>
      <TextArea
        label={label}
        value={value}
        errors={props.errors}
        onChange={(event) => props.onChange(event.target.value)}
      />
      <VoicePreview numberId={numberId} label={label} kind={kind} value={value} />
    </div>
  );
}
