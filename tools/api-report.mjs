/**
 * Run in a package folder, after its build: compares `etc/*.api.md` with the declarations of each entry.
 *   --write   writes the reports instead
 */
import { mkdirSync, readdirSync } from 'node:fs';
import { Extractor, ExtractorConfig } from '@microsoft/api-extractor';

const write = process.argv.includes('--write');
mkdirSync('etc', { recursive: true });

function report(file) {
  const config = ExtractorConfig.loadFileAndPrepare(`${process.cwd()}/${file}`);
  const result = Extractor.invoke(config, {
    localBuild: write,
    messageCallback: (message) => {
      message.handled = true;
      const serious = message.logLevel === 'error' || message.logLevel === 'warning';
      const isDifference = message.messageId === 'console-api-report-not-copied';
      if (serious && !isDifference) console.log(message.formatMessageWithLocation(process.cwd()));
    },
  });
  if (write || !result.apiReportChanged) return result.errorCount === 0;
  console.log(
    `${config.reportFilePath} differs from the declarations: run \`pnpm api\` and look at the change`,
  );
  return false;
}

const files = readdirSync('.').filter((name) => /^api-extractor.*\.json$/.test(name));
const good = files.map(report);
process.exitCode = good.every(Boolean) ? 0 : 1;
