import type { ReactNode } from 'react';
import { sentence } from '../api/api-error.ts';
import { t } from '../i18n/translate.ts';
import { SelectField, TextField } from '../ui/field.tsx';
import { GroupList } from '../ui/group-list.tsx';
import { SMALL } from '../ui/icon.ts';
import { CircleAlert } from '../ui/icons/index.ts';
import { AssistantChoice } from './assistant-choice.tsx';
import {
  type AssistantForm,
  CALL_FLOW_TYPES,
  type CallFlowForm,
  type CallFlowType,
  FALLBACK_TYPES,
  flowTypeText,
  hasPrompt,
  MENU_ACTIONS,
  menuActionText,
  MENU_OPTIONS_MAX,
  type MenuAction,
  type MenuOptionForm,
  newOption,
  NO_ASSISTANT,
  NO_FORWARD,
  ringsEmployees,
  withType,
} from './call-flow-form.ts';
import styles from './call-flow-editor.module.css';
import { EmployeeChoice } from './employee-choice.tsx';
import { ForwardFields } from './forward-fields.tsx';
import { PromptField } from './prompt-field.tsx';

interface EditorProps {
  readonly numberId: string;
  readonly form: CallFlowForm;
  readonly onChange: (form: CallFlowForm) => void;
  readonly errorsOf: (field: string) => readonly string[] | undefined;
  /** Explains an unset slot; without it, the slot must be set. */
  readonly notSet?: string;
  readonly label?: string;
  readonly types?: readonly CallFlowType[];
}

/** Edits every flow type of the API. */
export function CallFlowEditor(props: EditorProps): ReactNode {
  const { numberId, form, onChange, errorsOf, notSet, label = t('Routing'), types = CALL_FLOW_TYPES } = props;
  const prompt = (label: string, kind: 'welcome' | 'greeting' | 'message') => (
    <PromptField
      numberId={numberId}
      label={label}
      kind={kind}
      value={form[kind]}
      onChange={(text) => onChange({ ...form, [kind]: text })}
      errors={errorsOf(kind)}
    />
  );
  const employees = (
    <EmployeeChoice
      selected={form.employeeIds}
      onChange={(employeeIds) => onChange({ ...form, employeeIds })}
      errors={errorsOf('employee_ids')}
    />
  );
  return (
    <>
      <SelectField
        label={label}
        value={form.type ?? ''}
        errors={errorsOf('type')}
        onChange={(event) => onChange(withType(form, (event.target.value || null) as CallFlowType | null))}
      >
        {notSet !== undefined && <option value="">{notSet}</option>}
        {types.map((type) => (
          <option key={type} value={type}>
            {flowTypeText(type)}
          </option>
        ))}
      </SelectField>
      {form.type === 'TransferConfig' && employees}
      {form.type === 'WelcomeTransferConfig' && (
        <>
          {prompt(t('Welcome'), 'welcome')}
          {employees}
        </>
      )}
      {form.type === 'RejectConfig' && prompt(t('Message'), 'message')}
      {form.type === 'VoicemailConfig' && prompt(t('Greeting'), 'greeting')}
      {form.type === 'ForwardConfig' && (
        <ForwardFields
          forward={form.forward}
          onChange={(forward) => onChange({ ...form, forward })}
          errorsOf={errorsOf}
        />
      )}
      {form.type === 'AssistantConfig' && (
        <AssistantFields
          numberId={numberId}
          assistant={form.assistant ?? NO_ASSISTANT}
          onChange={(assistant) => onChange({ ...form, assistant })}
          errorsOf={errorsOf}
        />
      )}
      {form.type === 'PhoneMenuConfig' && (
        <>
          {prompt(t('Welcome'), 'welcome')}
          <MenuOptions {...props} />
        </>
      )}
    </>
  );
}

/** The assistant that answers, and where the caller goes when it cannot help. */
function AssistantFields(props: {
  numberId: string;
  assistant: AssistantForm;
  onChange: (assistant: AssistantForm) => void;
  errorsOf: (field: string) => readonly string[] | undefined;
}): ReactNode {
  const { numberId, assistant, onChange, errorsOf } = props;
  return (
    <>
      <AssistantChoice
        chosenId={assistant.id}
        onChange={(chosen) => onChange({ ...assistant, ...chosen })}
        errors={errorsOf('assistant_id')}
      />
      <CallFlowEditor
        numberId={numberId}
        label={t('If it cannot help')}
        types={FALLBACK_TYPES}
        form={assistant.fallback}
        onChange={(fallback) => onChange({ ...assistant, fallback })}
        errorsOf={(field) => errorsOf(`fallback.${field}`)}
      />
    </>
  );
}

function MenuOptions({ numberId, form, onChange, errorsOf }: EditorProps): ReactNode {
  const errors = errorsOf('menu_options');
  return (
    <GroupList
      items={form.options}
      itemsMax={MENU_OPTIONS_MAX}
      onChange={(options) => onChange({ ...form, options })}
      nameOf={({ digit }) => t('Option {digit}', { digit })}
      markOf={({ digit }) => digit}
      removeText={({ digit }) => t('Remove option {digit}', { digit })}
      addText={t('Add option')}
      create={(key) => newOption(form, key)}
      problem={
        errors && (
          <p className={styles['error']} data-field-error>
            <CircleAlert {...SMALL} />
            {errors.map((message) => sentence(t('The menu {problem}', { problem: message }))).join(' ')}
          </p>
        )
      }
    >
      {(option, isNew, index, change) => (
        <MenuOptionFields
          numberId={numberId}
          option={option}
          isNew={isNew}
          onChange={change}
          errorsOf={(field) => errorsOf(`menu_options[${index}].${field}`)}
        />
      )}
    </GroupList>
  );
}

function MenuOptionFields(props: {
  numberId: string;
  option: MenuOptionForm;
  isNew: boolean;
  onChange: (option: MenuOptionForm) => void;
  errorsOf: (field: string) => readonly string[] | undefined;
}): ReactNode {
  const { option, onChange, errorsOf } = props;
  return (
    <>
      <TextField
        label={t('Key')}
        inputMode="numeric"
        maxLength={1}
        autoFocus={props.isNew}
        value={option.digit}
        errors={errorsOf('digit')}
        onChange={(event) => onChange({ ...option, digit: event.target.value })}
      />
      <SelectField
        label={t('Action')}
        value={option.action}
        errors={errorsOf('action_type')}
        onChange={(event) => onChange({ ...option, action: event.target.value as MenuAction })}
      >
        {MENU_ACTIONS.map((action) => (
          <option key={action} value={action}>
            {menuActionText(action)}
          </option>
        ))}
      </SelectField>
      {hasPrompt(option.action) && (
        <PromptField
          numberId={props.numberId}
          label={t('Prompt')}
          kind="prompt"
          value={option.prompt}
          onChange={(prompt) => onChange({ ...option, prompt })}
          errors={errorsOf('prompt')}
        />
      )}
      {option.action === 'ForwardConfig' && (
        <ForwardFields
          forward={option.forward ?? NO_FORWARD}
          onChange={(forward) => onChange({ ...option, forward })}
          errorsOf={errorsOf}
        />
      )}
      {option.action === 'AssistantConfig' && (
        <AssistantFields
          numberId={props.numberId}
          assistant={option.assistant ?? NO_ASSISTANT}
          onChange={(assistant) => onChange({ ...option, assistant })}
          errorsOf={errorsOf}
        />
      )}
      {ringsEmployees(option.action) && (
        <EmployeeChoice
          selected={option.employeeIds}
          onChange={(employeeIds) => onChange({ ...option, employeeIds })}
          errors={errorsOf('employee_ids')}
        />
      )}
    </>
  );
}
