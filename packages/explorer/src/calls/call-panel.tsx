import { useState } from 'react';
import { SERVICE_URL } from '../session/session.ts';
import { useSession } from '../session/session-context.tsx';
import { Checkbox } from '../ui/checkbox.tsx';
import { CopyButton } from '../ui/copy-button.tsx';
import { Tabs } from '../ui/tabs.tsx';
import type { Call, CallText, Variable } from './call.ts';
import styles from './call-panel.module.css';
import { LANGUAGES, type LanguageId } from './languages.ts';

/** The language that was chosen last in this tab. */
let lastChosen: LanguageId = 'curl';

/** A call, ready to paste. By default it is the one for what is on the screen. */
export function CallPanel({
  call,
  label = 'The call',
}: {
  readonly call: Call;
  readonly label?: string;
}) {
  const { token, caller } = useSession();
  const [chosen, setChosen] = useState(lastChosen);
  const [isTokenShown, setTokenShown] = useState(false);
  const choose = (language: LanguageId): void => {
    lastChosen = language;
    setChosen(language);
  };
  const { write } = LANGUAGES[chosen];
  const written = write(call, {
    url: SERVICE_URL,
    organisationId: caller.organisationId,
    token: isTokenShown ? token : undefined,
  });
  return (
    <section aria-label={label} className={styles.panel}>
      <Tabs label="Language of the call" tabs={TABS} selected={chosen} onSelect={choose}>
        <div className={styles.code}>
          {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a part that scrolls must be reached by keyboard */}
          <pre tabIndex={0}>
            <code translate="no">{written.text}</code>
          </pre>
          <div className={styles.copy}>
            <CopyButton text={written.text} />
          </div>
        </div>
      </Tabs>
      <Needs {...written} />
      <Checkbox isSelected={isTokenShown} onChange={setTokenShown}>
        With my token
      </Checkbox>
      {isTokenShown && (
        <p role="status" className={styles.warning}>
          The text contains your token. Anyone who sees it can use the token until it expires or is
          revoked.
        </p>
      )}
    </section>
  );
}

const TABS = Object.entries(LANGUAGES).map(([id, { label }]) => ({
  // The names of the members are the ids.
  id: id as LanguageId,
  label,
}));

const MEANINGS: Readonly<Record<Variable, string>> = {
  LOCMETRICS_TOKEN: 'your token',
  LOCMETRICS_GRPC_ADDRESS: 'host:port of the gRPC interface, which this page does not know',
  LOCMETRICS_CA_FILE: 'the file of its certificate authority',
};

/** The variables that must be set before the text runs, and remarks about it. */
function Needs({ variables, notes }: Pick<CallText, 'variables' | 'notes'>) {
  return (
    <div className={styles.needs}>
      {variables.length > 0 && (
        <p>
          Set first:{' '}
          {variables.map((name, index) => (
            <span key={name}>
              {index > 0 && '; '}
              <code>{name}</code> ({MEANINGS[name]})
            </span>
          ))}
          .
        </p>
      )}
      {notes.map((note) => (
        <p key={note}>{note}</p>
      ))}
    </div>
  );
}
