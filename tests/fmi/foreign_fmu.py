# SPDX-License-Identifier: BSD-3-Clause
"""FMUs that hilda did not write: foreign/plant.c, compiled, with a description for FMI 2.0 or 3.0."""

import functools
import pathlib
import subprocess
import zipfile

HERE = pathlib.Path(__file__).resolve().parent
UNITS = """  <UnitDefinitions>
    <Unit name="N"><BaseUnit kg="1" m="1" s="-2"/></Unit>
    <Unit name="mm"><BaseUnit m="1" factor="0.001"/></Unit>
    <Unit name="s"><BaseUnit s="1"/></Unit>
    <Unit name="bananas"/>
  </UnitDefinitions>
"""

TWO = """<?xml version="1.0" encoding="UTF-8"?>
<fmiModelDescription fmiVersion="2.0" modelName="plant" guid="plant-token" description="A lag">
  <CoSimulation modelIdentifier="plant" canHandleVariableCommunicationStepSize="true" canGetAndSetFMUstate="true" canSerializeFMUstate="true"/>
""" + UNITS + """  <TypeDefinitions>
    <SimpleType name="Mode"><Enumeration><Item name="slow" value="1"/><Item name="fast" value="4"/></Enumeration></SimpleType>
  </TypeDefinitions>
  <DefaultExperiment startTime="0" stopTime="1" stepSize="0.1"/>
  <ModelVariables>
    <ScalarVariable name="time" valueReference="0" causality="independent" variability="continuous"><Real/></ScalarVariable>
    <ScalarVariable name="in.u" valueReference="1" causality="input" description="What it follows"><Real start="0" unit="mm"/></ScalarVariable>
    <ScalarVariable name="x" valueReference="2" causality="output" initial="exact"><Real start="0" unit="mm"/></ScalarVariable>
    <ScalarVariable name="y" valueReference="3" causality="output"><Real unit="mm"/></ScalarVariable>
    <ScalarVariable name="tau" valueReference="4" causality="parameter" variability="fixed" description="Of the lag"><Real start="0.5" unit="s"/></ScalarVariable>
    <ScalarVariable name="gain" valueReference="5" causality="parameter" variability="tunable"><Real start="2" unit="bananas"/></ScalarVariable>
    <ScalarVariable name="n" valueReference="10" causality="output"><Integer/></ScalarVariable>
    <ScalarVariable name="stride" valueReference="11" causality="parameter" variability="fixed"><Integer start="1"/></ScalarVariable>
    <ScalarVariable name="mode" valueReference="12" causality="parameter" variability="fixed"><Enumeration declaredType="Mode" start="1"/></ScalarVariable>
    <ScalarVariable name="fault" valueReference="13" causality="parameter" variability="fixed"><Integer start="0"/></ScalarVariable>
    <ScalarVariable name="enabled" valueReference="20" causality="parameter" variability="fixed"><Boolean start="true"/></ScalarVariable>
    <ScalarVariable name="on" valueReference="21" causality="output"><Boolean/></ScalarVariable>
    <ScalarVariable name="label" valueReference="30" causality="parameter" variability="fixed"><String start="plain"/></ScalarVariable>
    <ScalarVariable name="hidden" valueReference="2" causality="local"><Real/></ScalarVariable>
  </ModelVariables>
  <ModelStructure>
    <Outputs>
      <Unknown index="3" dependencies=""/><Unknown index="4" dependencies="2"/><Unknown index="7" dependencies=""/>
      <Unknown index="12" dependencies=""/>
    </Outputs>
  </ModelStructure>
</fmiModelDescription>
"""

THREE = """<?xml version="1.0" encoding="UTF-8"?>
<fmiModelDescription fmiVersion="3.0" modelName="plant" instantiationToken="plant-token" description="A lag">
  <CoSimulation modelIdentifier="plant" canHandleVariableCommunicationStepSize="true" canGetAndSetFMUState="true" canSerializeFMUState="true"/>
""" + UNITS + """  <TypeDefinitions>
    <EnumerationType name="Mode"><Item name="slow" value="1"/><Item name="fast" value="4"/></EnumerationType>
  </TypeDefinitions>
  <DefaultExperiment startTime="0" stopTime="1" stepSize="0.1"/>
  <ModelVariables>
    <Float64 name="time" valueReference="0" causality="independent" variability="continuous"/>
    <Float64 name="in.u" valueReference="1" causality="input" start="0" unit="mm" description="What it follows"/>
    <Float64 name="x" valueReference="2" causality="output" initial="exact" start="0" unit="mm"/>
    <Float64 name="y" valueReference="3" causality="output" unit="mm"/>
    <Float64 name="tau" valueReference="4" causality="parameter" variability="fixed" start="0.5" unit="s" description="Of the lag"/>
    <Float64 name="gain" valueReference="5" causality="parameter" variability="tunable" start="2" unit="bananas"/>
    <Float64 name="v" valueReference="6" causality="input" start="0 0 0"><Dimension start="3"/></Float64>
    <Float64 name="w" valueReference="7" causality="output"><Dimension start="2"/></Float64>
    <Float64 name="A" valueReference="8" causality="parameter" variability="fixed" start="1 2 3 4 5 6"><Dimension start="2"/><Dimension valueReference="9"/></Float64>
    <UInt64 name="columns" valueReference="9" causality="structuralParameter" variability="fixed" start="3"/>
    <Int64 name="n" valueReference="10" causality="output"/>
    <Int64 name="stride" valueReference="11" causality="parameter" variability="fixed" start="1"/>
    <Enumeration name="mode" valueReference="12" declaredType="Mode" causality="parameter" variability="fixed" start="1"/>
    <Int64 name="fault" valueReference="13" causality="parameter" variability="fixed" start="0"/>
    <Boolean name="enabled" valueReference="20" causality="parameter" variability="fixed" start="true"/>
    <Boolean name="on" valueReference="21" causality="output"/>
    <String name="label" valueReference="30" causality="parameter" variability="fixed"><Start value="plain"/></String>
    <Binary name="blob" valueReference="31" causality="output"/>
  </ModelVariables>
  <ModelStructure>
    <Output valueReference="2" dependencies=""/><Output valueReference="3" dependencies="1"/><Output valueReference="7" dependencies="6"/>
    <Output valueReference="10" dependencies=""/><Output valueReference="21" dependencies=""/>
  </ModelStructure>
</fmiModelDescription>
"""

DESCRIPTION = {2: TWO, 3: THREE}
PLATFORM = {2: "linux64", 3: "x86_64-linux"}
FAULTS = ("none step_error step_warning step_discard step_fatal step_pending step_terminates step_nan step_crashes step_hangs init_error "
          "enter_error get_error set_error save_error load_error step_infinite exits early chatty load_crashes").split()


@functools.cache
def library(version, compiler, folder):
    out = pathlib.Path(folder) / f"plant{version}.so"
    subprocess.run([compiler, "-std=c11", "-shared", "-fPIC", "-O1", "-ffp-contract=off", f"-DFMI={version}", HERE / "foreign/plant.c", "-Wl,--no-as-needed", "-lm", "-o", out],
                   check=True)
    return out.read_bytes()


def files(version, compiler, folder):
    """What the FMU contains, by name."""
    return {"modelDescription.xml": DESCRIPTION[version].encode(),
            f"binaries/{PLATFORM[version]}/plant.so": library(version, compiler, folder), "resources/note.txt": b"a note"}


def write(path, content):
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in content.items():
            archive.writestr(name, data)
    return path
