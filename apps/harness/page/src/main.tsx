/** Starts the page. */
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { startProgram } from './client/program.ts';
import { App } from './view/app.tsx';
import { ProgramProvider } from './view/program-context.ts';
import { applyTheme, storedTheme } from './view/theme.ts';
import './style/tokens.css';
import './style/base.css';
import './style/layout.css';
import './style/controls.css';
import './style/tree.css';
import './style/transcript.css';
import './style/entry.css';
import './style/tool.css';
import './style/composer.css';
import './style/sequence.css';
import './style/details.css';
import './style/dialog.css';

const place = document.getElementById('page');
if (place === null) throw new Error('the document has no place for the page');
applyTheme(storedTheme());
const program = startProgram(new AbortController().signal);
createRoot(place).render(
  <StrictMode>
    <ProgramProvider value={program}>
      <App />
    </ProgramProvider>
  </StrictMode>,
);
