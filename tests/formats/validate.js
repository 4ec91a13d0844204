// SARIF and JSON files of a directory against their schemas. Run by run.sh.
'use strict';
process.on('uncaughtException', (error) => { console.error(error); process.exit(70); });
const Ajv = require('ajv');
const addFormats = require('ajv-formats');
const fs = require('fs');
const path = require('path');

const [ownSchema, directory] = process.argv.slice(2);
const read = (file) => JSON.parse(fs.readFileSync(file, 'utf8'));

// A schema as strict as it can be: where it lists properties, there are no others.
function closed(schema) {
  if (Array.isArray(schema)) return schema.map(closed);
  if (!schema || typeof schema !== 'object') return schema;
  const copy = Object.fromEntries(Object.entries(schema).map(([key, value]) => [key, closed(value)]));
  if (copy.type === 'object' && copy.properties) copy.additionalProperties = false;
  return copy;
}

// the standard's schema has a pattern that is none with the u flag
const sarifAjv = addFormats(new Ajv({ allErrors: true, strict: false, unicodeRegExp: false }));
const sarif = sarifAjv.compile(read(path.join(path.dirname(require.resolve('schemastore/package.json')),
  'schemas', 'json', 'sarif-2.1.0.json')));
const ownAjv = new Ajv({ allErrors: true, allowUnionTypes: true });
ownAjv.addSchema({ ...closed(read(ownSchema)), $id: 'result' });
const own = Object.fromEntries(['program', 'model', 'trace'].map((name) => [name,
  ownAjv.compile({ $ref: `result#/definitions/${name}` })]));
const kindOf = { check: own.program, run: own.program, model: own.model, show: own.trace };

// What the schema of SARIF can't say: the interleaving is one order over all threads.
function orderProblem(log) {
  for (const result of log.runs[0].results) {
    const order = (result.codeFlows || []).flatMap((flow) => flow.threadFlows)
      .flatMap((flow) => flow.locations).map((location) => location.executionOrder);
    if (new Set(order).size !== order.length) return 'two locations have the same executionOrder';
  }
  return null;
}

let failed = 0;
function tell(good, name, why) {
  if (!good) failed++;
  console.log(good ? `ok ${name}` : `not ok ${name}: ${why}`);
}
const words = (validate) => validate.errors.slice(0, 5).map((error) =>
  `${error.instancePath} ${error.message} ${JSON.stringify(error.params)}`).join('; ');

const files = fs.readdirSync(directory).sort();
const used = new Set();
for (const file of files.filter((name) => name.endsWith('.sarif'))) {
  const log = read(path.join(directory, file));
  const good = sarif(log), problem = good && orderProblem(log);
  tell(good && !problem, `SARIF: ${file}`, problem || (good ? '' : words(sarif)));
}
for (const file of files.filter((name) => name.endsWith('.json'))) {
  const validate = kindOf[file.split('.').at(-2)], document = read(path.join(directory, file));
  used.add(document.verdict);
  tell(validate(document), `JSON: ${file}`, validate.errors && words(validate));
}

// A validator that takes everything proves nothing.
const log = read(path.join(directory, 'assertion.sarif')), result = read(path.join(directory, 'assertion.check.json'));
const broken = (document, change) => { const copy = structuredClone(document); change(copy); return copy; };
tell(!sarif(broken(log, (copy) => { copy.runs[0].results[0].codeFlows[0].threadFlows[0].locations[0].executionOrder = 'first'; })) &&
  !sarif(broken(log, (copy) => { delete copy.runs[0].tool; })) &&
  !sarif(broken(log, (copy) => { copy.runs[0].results[0].locations[0].physicalLocation.artifactLocation.uri = 'a b'; })),
'a SARIF file that is wrong is refused', 'it is not');
tell(!own.program(broken(result, (copy) => { delete copy.executions; })) &&
  !own.program(broken(result, (copy) => { copy.failures[0].trace[0].surprise = 1; })) &&
  !own.program(broken(result, (copy) => { copy.verdict = 'fine'; })),
'a result that is wrong is refused', 'it is not');
tell(used.size >= 15, 'verdicts of many kinds', [...used].join(' '));
process.exit(failed ? 1 : 0);
