// Renders the templates of a chart with Go's own template engine, which helm uses, and with those of helm's functions that our
// charts call. Reads {"values", "release", "appVersion", "templates"} as JSON, and writes the rendered templates by name.
// toYaml writes values below the first level as JSON, which is YAML.
package main

import (
	"bytes"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"os"
	"sort"
	"strings"
	"text/template"
)

type input struct {
	Values     map[string]interface{} `json:"values"`
	Release    string                 `json:"release"`
	AppVersion string                 `json:"appVersion"`
	Templates  map[string]string      `json:"templates"`
}

func fail(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func toJSON(value interface{}) string {
	var text bytes.Buffer
	encoder := json.NewEncoder(&text)
	encoder.SetEscapeHTML(false)
	fail(encoder.Encode(value))
	return strings.TrimSpace(text.String())
}

// A line for each key or item.
func toYaml(value interface{}) string {
	var lines []string
	switch given := value.(type) {
	case map[string]interface{}:
		for key, each := range given {
			lines = append(lines, toJSON(key)+": "+toJSON(each))
		}
		sort.Strings(lines)
	case []interface{}:
		for _, each := range given {
			lines = append(lines, "- "+toJSON(each))
		}
	}
	if len(lines) == 0 {
		return toJSON(value)
	}
	return strings.Join(lines, "\n")
}

func isEmpty(value interface{}) bool {
	truth, _ := template.IsTrue(value)
	return !truth
}

var functions = template.FuncMap{
	"toYaml": toYaml,
	"nindent": func(n int, text string) string {
		return strings.ReplaceAll("\n"+text, "\n", "\n"+strings.Repeat(" ", n))
	},
	"list":      func(items ...interface{}) []interface{} { return items },
	"sha256sum": func(text string) string { return fmt.Sprintf("%x", sha256.Sum256([]byte(text))) },
	"default": func(otherwise, given interface{}) interface{} {
		if isEmpty(given) {
			return otherwise
		}
		return given
	},
}

func main() {
	var given input
	decoder := json.NewDecoder(os.Stdin)
	decoder.UseNumber()
	fail(decoder.Decode(&given))
	data := map[string]interface{}{
		"Values":  given.Values,
		"Release": map[string]string{"Name": given.Release},
		"Chart":   map[string]string{"AppVersion": given.AppVersion},
	}
	rendered := map[string]string{}
	for name, text := range given.Templates {
		parsed, err := template.New(name).Funcs(functions).Option("missingkey=zero").Parse(text)
		fail(err)
		var out bytes.Buffer
		fail(parsed.Execute(&out, data))
		// As helm does: a value that is not there is nothing.
		rendered[name] = strings.ReplaceAll(out.String(), "<no value>", "")
	}
	fail(json.NewEncoder(os.Stdout).Encode(rendered))
}
